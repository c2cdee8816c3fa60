import own from '../package.json' with { type: 'json' }

/** The version of all packages of this repository. `npm run release` sets it; it is stored nowhere else. */
export const { version } = own

import own from '../package.json' with { type: 'json' }

/** The version of all packages of this repository. `npm run release` sets it; nothing else holds it. */
export const { version } = own

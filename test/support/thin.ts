import { env } from 'node:process'

/** Set by `npm run test:long`, which runs every file that imports this one. */
export const isFull = env['FULL'] !== undefined

/** Every nth case in `npm test`, from the first on; all of them in `npm run test:long`. */
export const everyNth = <T>(nth: number, cases: Iterable<T>): T[] =>
  [...cases].filter((_, index) => isFull || index % nth === 0)

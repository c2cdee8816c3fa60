import * as z from 'zod/mini'

/** What every text is checked for: half of a surrogate pair cannot be written as UTF-8. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'must not contain half of a surrogate pair',
})

import * as z from 'zod/mini'

/** The check for every text: half of a surrogate pair cannot be encoded as UTF-8. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'must not contain half of a surrogate pair',
})

import * as z from 'zod/mini'

/** The check for a text that must have more than white space. */
export const notBlank = z.regex(/\S/, { error: 'must not be empty' })

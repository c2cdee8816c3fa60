import * as z from 'zod/mini'

/** Language, script, region, and variants (RFC 5646, section 2.1); extensions say nothing about the language. */
const pattern = /^[a-zA-Z]{2,3}(-[a-zA-Z]{4})?(-([a-zA-Z]{2}|\d{3}))?(-([a-zA-Z\d]{5,8}|\d[a-zA-Z\d]{3}))*$/

/** A BCP 47 language tag. */
export const languageTag = z
  .string()
  .check(z.regex(pattern, { error: 'must be a BCP 47 language tag, such as "en" or "pt-BR"' }))

import * as z from 'zod/mini'

/** An email address; letter case does not matter. */
export const Email = z
  .string()
  .check(
    z.maxLength(254),
    z.toLowerCase(),
    z.refine((text) => z.regexes.email.test(text), { error: 'must be an email address, such as ann@example.com' }),
  )
  .register(z.globalRegistry, { format: 'email' })

import * as z from 'zod/mini'

/** An e-mail address; letter case never tells two people apart. */
export const Email = z
  .string()
  .check(
    z.maxLength(254),
    z.toLowerCase(),
    z.refine((text) => z.regexes.email.test(text), { error: 'must be an email address, such as ann@example.com' }),
  )
  .register(z.globalRegistry, { format: 'email' })

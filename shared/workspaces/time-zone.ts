import * as z from 'zod/mini'

const isTimeZone = (name: string) => {
  // Intl also accepts offsets such as "+01:00", which are not names.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The IANA name of a time zone. */
export const TimeZone = z
  .string()
  .check(z.refine(isTimeZone, { error: 'must be an IANA time zone, such as Europe/Berlin' }))

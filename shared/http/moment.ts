import * as z from 'zod/mini'

/** A time with a zone, as the caller wrote it. */
export const Moment = z.iso
  .datetime({
    offset: true,
    // The next rule would only repeat what is wrong with a text that is no date-time.
    abort: true,
    error: 'must be an RFC 3339 date-time with a time zone, such as 2026-12-01T09:00:00Z',
  })
  .check(z.refine((text) => !Number.isNaN(Date.parse(text)), { error: 'must be a real date and time' }))

/** A time in a response: RFC 3339, in UTC. */
export const timestamp = (description?: string) =>
  z.string().register(z.globalRegistry, { format: 'date-time', ...(description === undefined ? {} : { description }) })

/** Milliseconds since 1970; earlier times become 0. */
export const msOf = (moment: string): number => Math.max(0, Date.parse(moment))

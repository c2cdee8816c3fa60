import * as z from 'zod/mini'

const form = 'must be an RFC 3339 date-time with a time zone, such as 2026-12-01T09:00:00Z'

/** A time with a zone. `t` and `z` may be lower case (RFC 3339, section 5.6). */
export const Moment = z.string({ error: form }).check(
  z.overwrite((text) => text.toUpperCase()),
  // For a text that is not a date-time, the next rule would only repeat the error.
  z.iso.datetime({ offset: true, abort: true, error: form }),
  z.refine((text) => !Number.isNaN(Date.parse(text)), { error: 'must be a real date and time' }),
)

/** A query value with the `+` of an offset: in a query, an unescaped `+` stands for a space. */
export const withOffset = (value: string | undefined): string | undefined =>
  value?.replace(/^(\d{4}-\d\d-\d\dt[\d:.]+) (\d\d:\d\d)$/i, '$1+$2')

/** A time in a response: RFC 3339, in UTC. */
export const timestamp = (description?: string) =>
  z.string().register(z.globalRegistry, { format: 'date-time', ...(description === undefined ? {} : { description }) })

/** Milliseconds since 1970; earlier times become 0. */
export const msOf = (moment: string): number => Math.max(0, Date.parse(moment))

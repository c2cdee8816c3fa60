import { zone } from './store.ts'
import { dayIn, formatDay, startOfDay } from './time.ts'

/** The day of a moment in the time zone of the workspace, such as "December 1, 2026". */
export const dayOf = (moment: string | null, none = '—'): string =>
  moment === null ? none : formatDay(dayIn(Date.parse(moment), zone.value), { dateStyle: 'long' })

/** The start of a day of the workspace, as the API takes it. */
export const startOf = (day: string): string => new Date(startOfDay(day, zone.value)).toISOString()

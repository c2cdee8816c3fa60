import { signal } from '@preact/signals'
import { addDays, localTime, momentOf, startOfDay } from '../../../shared/local-time.ts'

export { addDays, momentOf, startOfDay }

/** How far the clock of a local service is ahead of this browser's, which it can be moved away from. */
export const aheadMs = signal(0)

/** The time of the service. */
export const now = (): number => Date.now() + aheadMs.value

/** The time zone of this browser. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const pad = (n: number): string => String(n).padStart(2, '0')

/** Minutes since midnight as `09:05`. */
export const clockOf = (minute: number): string => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`

/** `09:05` in a time zone. */
export const clockIn = (momentMs: number, zone: string): string => clockOf(localTime(momentMs, zone).minute)

/** `2026-12-01` in a time zone. */
export const dayIn = (momentMs: number, zone: string): string => localTime(momentMs, zone).day

const utc = (day: string) => new Date(`${day}T12:00:00Z`)

/** To create a format takes about 30 times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** A day for people, such as "Tuesday, December 1, 2026". */
export const formatDay = (day: string, options: Intl.DateTimeFormatOptions = { dateStyle: 'full' }): string => {
  const name = JSON.stringify(options)
  const format = formats.get(name) ?? new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options })
  formats.set(name, format)
  return format.format(utc(day))
}

/** 0 for Monday. */
export const weekdayOf = (day: string): number => (utc(day).getUTCDay() + 6) % 7

export const startOfWeek = (day: string): string => addDays(day, -weekdayOf(day))
export const startOfMonth = (day: string): string => `${day.slice(0, 8)}01`

export const addMonths = (day: string, months: number): string => {
  const date = new Date(`${startOfMonth(day)}T12:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** "December 1, 09:00 in Europe/Berlin", and in the zone of this browser where its clocks differ. */
export const formatMoment = (momentMs: number, zone: string): string => {
  const inZone = (name: string) =>
    `${formatDay(dayIn(momentMs, name), { month: 'long', day: 'numeric' })}, ${clockIn(momentMs, name)}`
  const [here, there] = [inZone(ownZone), inZone(zone)]
  return here === there ? `${there} (${zone})` : `${there} (${zone}) · ${here} (your time)`
}

/** A length of time, such as `340 ms`, `2.1 s`, or `3 h 20 min`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

import { dayMs, minuteMs } from './time.ts'

/** A moment as the clocks of a time zone show it. */
export interface LocalTime {
  /** `2026-12-01`. */
  day: string
  /** Minutes since midnight. */
  minute: number
}

/** Creating a format takes about 30 times as long as using it. A name has many spellings, so the map is emptied. */
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 100

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(timeZone, format)
  return format
}

export const localTime = (momentMs: number, timeZone: string): LocalTime => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(momentMs)
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day] = ['year', 'month', 'day'].map((name) => parts.get(name as 'year'))
  return { day: `${year}-${month}-${day}`, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}

/** A moment in RFC 3339 with the offset of a time zone: `2026-12-01T10:00:00+01:00`. */
export const localTimestamp = (momentMs: number, timeZone: string): string => {
  const secondMs = Math.floor(momentMs / 1_000) * 1_000
  const { day, minute } = localTime(secondMs, timeZone)
  const clock = new Date(Date.parse(`${day}T00:00:00Z`) + minute * minuteMs + (secondMs % minuteMs))
  const offset = Math.round((clock.getTime() - secondMs) / minuteMs)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
    String(n).padStart(2, '0'),
  )
  return `${clock.toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`
}

/**
 * When the clocks of a time zone show a time, which is given as if it were UTC, in milliseconds since 1970: the first of two
 * occurrences. Undefined if the clocks skip it.
 */
export const momentShowing = (wallMs: number, timeZone: string): number | undefined => {
  const shownAt = (momentMs: number) => Date.parse(`${localTimestamp(momentMs, timeZone).slice(0, 19)}Z`)
  const secondMs = Math.floor(wallMs / 1_000) * 1_000
  // The offsets before and after: clocks are set at most once in two days.
  const moments = [secondMs - dayMs, secondMs + dayMs].map((nearMs) => secondMs - (shownAt(nearMs) - nearMs))
  return moments.toSorted((a, b) => a - b).find((momentMs) => shownAt(momentMs) === secondMs)
}

/** The days that the functions for local times accept: four-digit years, with a day before and after, in every time zone. */
export const localDays = { first: '1970-01-01', last: '9998-12-31' } as const

/** Whether they accept the day of `2026-12-01` or `2026-12-01T09:00`. */
export const isLocalDay = (text: string): boolean =>
  text.slice(0, 10) >= localDays.first && text.slice(0, 10) <= localDays.last

/** The same for a time such as `2026-12-01T09:00`; undefined also if it is no real date. */
export const momentOf = (wall: string, timeZone: string): number | undefined => {
  const wallMs = Date.parse(`${wall}Z`)
  const isReal = !Number.isNaN(wallMs) && new Date(wallMs).toISOString().slice(0, 10) === wall.slice(0, 10)
  return isReal ? momentShowing(wallMs, timeZone) : undefined
}

/** `2026-12-01` and a number of days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The first moment of a day, given as `2026-12-01`: later than midnight if the clocks skip it. */
export const startOfDay = (day: string, timeZone: string): number => {
  const moment = ['00:00', '00:30', '01:00'].map((time) => momentOf(`${day}T${time}`, timeZone))
  // Where the date line moved, a whole day is missing (Pacific/Apia, 2011-12-30).
  return moment.find((ms) => ms !== undefined) ?? startOfDay(addDays(day, 1), timeZone)
}

const dayMinutes = 1440
/** Clocks are set by at most this, in minutes. */
const longestShift = 120

/** The next moment at which the clocks of a time zone show this minute of the day, or the first one after it. */
export const nextTimeOfDay = (momentMs: number, timeZone: string, minute: number): number => {
  const startMs = Math.floor(momentMs / minuteMs) * minuteMs
  const now = localTime(startMs, timeZone).minute
  const wait = (minute - now + dayMinutes) % dayMinutes || dayMinutes
  const guessMs = startMs + wait * minuteMs
  const missing = minute - localTime(guessMs, timeZone).minute
  // If a clock change lies in between, the guess is off by that much.
  const shift = Math.abs(missing) <= longestShift ? missing : 0
  return guessMs + shift * minuteMs
}

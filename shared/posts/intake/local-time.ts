import { minuteMs } from '../../time.ts'

/** A moment as the clocks of a time zone show it. */
export interface LocalTime {
  /** `2026-12-01`. */
  day: string
  /** Minutes since midnight. */
  minute: number
}

export const localTime = (momentMs: number, timeZone: string): LocalTime => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  })
  const parts = new Map(format.formatToParts(momentMs).map(({ type, value }) => [type, value]))
  const [year, month, day] = ['year', 'month', 'day'].map((name) => parts.get(name as 'year'))
  return { day: `${year}-${month}-${day}`, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
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
  // When the clocks were set meanwhile, the guess is off by as much.
  const shift = Math.abs(missing) <= longestShift ? missing : 0
  return guessMs + shift * minuteMs
}

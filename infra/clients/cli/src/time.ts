import { ParsingComponents, parse } from 'chrono-node/en'
import { momentShowing } from '../../../../shared/local-time.ts'
import { Usage } from './errors.ts'

const minuteMs = 60_000

/** The time zone of an option, or of this machine. */
export const zoneOf = (option: string | undefined): string => {
  if (option === undefined) return new Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: option }).resolvedOptions().timeZone
  } catch {
    throw new Usage(`"${option}" is not a time zone. Use an IANA name such as Europe/Berlin or UTC.`)
  }
}

const partsAt = (atMs: number, zone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]))
}

/** The local time of a zone, as if it were UTC. */
const wallMs = (atMs: number, zone: string): number => {
  const { year, month, day, hour, minute, second } = partsAt(atMs, zone)
  return Date.parse(`${month} ${day} ${year} ${hour}:${minute}:${second} UTC`)
}

/** A time in a column, to the second: "2026-11-24 09:00:00". */
export const clockTime = (at: string, zone: string): string =>
  new Date(wallMs(Date.parse(at), zone)).toISOString().slice(0, 19).replace('T', ' ')

const offsetMinutes = (atMs: number, zone: string): number =>
  Math.round((wallMs(atMs, zone) - Math.floor(atMs / 1000) * 1000) / minuteMs)

const utcName = (minutes: number) => {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** A time as people say it, with its zone: "Tue, Nov 24 2026, 09:00 (Europe/Berlin, UTC+1)". */
export const sayTime = (atMs: number, zone: string): string => {
  const { weekday, month, day, year, hour, minute } = partsAt(atMs, zone)
  const utc = utcName(offsetMinutes(atMs, zone))
  const zones = zone === utc ? utc : `${zone}, ${utc}`
  return `${weekday}, ${month} ${day} ${year}, ${hour}:${minute} (${zones})`
}

const examples = 'Write for example "tomorrow 9:00", "in 2 hours", "Dec 1 17:30", or 2026-12-01T09:00:00Z.'

/** 1.12. and 12/1 are different days in different countries. */
const ambiguous = /\b\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?\b/

/** 2026/12/1 and 2026.12.01: with the year first, the month is next everywhere. */
const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?![\d./-])/

const notReal = (text: string) => new Usage(`"${text}" is not a real date and time. ${examples}`)

/** `Date.parse` reads February 30 as March 2. */
const assertRealDay = (text: string, given: string): void => {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(given) ?? []
  if (day === undefined) return
  const atMs = Date.parse(day)
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== day) throw notReal(text)
}

/** Reads a time in English or RFC 3339. Clock times are those of the zone. */
export const readTime = (text: string, zone: string, nowMs = Date.now()): number => {
  const given = text.trim().replace(yearFirst, (_, year, __, month, day) => {
    return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  })
  assertRealDay(text, given)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i.test(given)) {
    const atMs = Date.parse(given)
    if (Number.isNaN(atMs)) throw notReal(text)
    return atMs
  }
  if (!/\d{4}-\d/.test(given) && ambiguous.test(given)) {
    throw new Usage(`"${text}" can mean two days. Write the month as a word, or the date as ${isoDay(nowMs)}.`)
  }
  const reference = { instant: new Date(nowMs), timezone: offsetMinutes(nowMs, zone) }
  const [parsed] = parse(given, reference, { forwardDate: true })
  if (parsed === undefined || parsed.text.length !== given.length || parsed.end) {
    throw new Usage(`"${text}" is not a time that can be read. ${examples}`)
  }
  const { start } = parsed
  // What the text states; the parser guesses the rest.
  const said = start instanceof ParsingComponents ? start.getCertainComponents() : []
  if (!said.includes('hour')) throw new Usage(`"${text}" has no time of day. Add one, for example "${given} 9:00".`)
  if (said.includes('timezoneOffset')) return start.date().getTime()
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => start.get(name) ?? 0)
  const atMs = momentShowing(Date.UTC(year, month - 1, day, hour, minute, second), zone)
  if (atMs === undefined) throw new Usage(`"${text}" does not exist in ${zone}: clocks are moved forward over it.`)
  return atMs
}

const isoDay = (nowMs: number) => new Date(nowMs).toISOString().slice(0, 10)

/** A time that is still to come. */
export const readFutureTime = (text: string, zone: string, nowMs = Date.now()): number => {
  const atMs = readTime(text, zone, nowMs)
  if (atMs <= nowMs) throw new Usage(`"${text}" is ${sayTime(atMs, zone)}, which is in the past. ${examples}`)
  return atMs
}

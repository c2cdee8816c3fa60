import { ScheduleRefusal } from './refusal.ts'
import { isZone, momentOf, wallTime } from './zone.ts'

/** When a schedule fires: once, or again and again. */
export type Expression = { kind: 'at'; at: number } | { kind: 'rate'; everyMs: number }

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Reads `at(yyyy-mm-ddThh:mm:ss)` and `rate(value unit)`. */
export function parseExpression(text: string, zone = 'UTC'): Expression {
  if (!isZone(zone))
    throw new ScheduleRefusal('ValidationException', `Provided ScheduleExpressionTimezone is not valid: ${zone}.`)
  const at = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(text)?.[1]
  if (at && isCalendarTime(at)) return { kind: 'at', at: momentOf(at, zone) }
  const [, value, unit = ''] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(text) ?? []
  const everyMs = Number(value) * (unitMs[unit] ?? Number.NaN)
  if (Number.isSafeInteger(everyMs)) return { kind: 'rate', everyMs }
  const known = text.startsWith('cron(')
    ? 'cron() is not implemented in the local scheduler'
    : 'Invalid Schedule Expression'
  throw new ScheduleRefusal('ValidationException', `${known}: ${text}.`)
}

function isCalendarTime(time: string): boolean {
  const moment = Date.parse(`${time}Z`)
  return !Number.isNaN(moment) && wallTime(moment, 'UTC') === time
}

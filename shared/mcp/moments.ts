import type { FieldIssue } from '../errors/issue.ts'
import { isLocalDay, localDays, momentOf } from '../local-time.ts'
import type { Arguments } from './route-arguments.ts'

const withoutOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?$/

/**
 * The arguments with each time in UTC: a time without an offset is in the time zone of the workspace. A time that a clock
 * change skips is an error.
 */
export const inUtc = (
  sent: Arguments,
  names: readonly string[],
  timeZone: string,
): { sent: Arguments; faults: FieldIssue[] } => {
  const faults: FieldIssue[] = []
  const moments = names.flatMap((field) => {
    const text = sent[field]
    if (typeof text !== 'string' || !withoutOffset.test(text)) return []
    if (!isLocalDay(text)) {
      const message = `"${field}" must be a day from ${localDays.first} to ${localDays.last}: ${text}.`
      faults.push({ field, code: 'invalid', message })
      return []
    }
    const momentMs = momentOf(text.replace(' ', 'T'), timeZone)
    if (momentMs !== undefined) return [[field, new Date(momentMs).toISOString()] as const]
    const message = `"${field}" is a time that the clocks of the workspace (${timeZone}) do not show: ${text}. Choose another time.`
    faults.push({ field, code: 'invalid', message })
    return []
  })
  return { sent: { ...sent, ...Object.fromEntries(moments) }, faults }
}

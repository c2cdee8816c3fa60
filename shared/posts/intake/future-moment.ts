import type { Issue } from '../../errors/issue.ts'
import { Refusal } from '../../errors/refusal.ts'
import { dayMs } from '../../time.ts'

const furthestMs = 5 * 366 * dayMs

/** Why no post can be planned for a time: it has passed, or is more than five years ahead. */
const whyNotAt = (atMs: number, nowMs: number): string | undefined => {
  if (atMs <= nowMs) return `"scheduledAt" must be in the future (server time ${new Date(nowMs).toISOString()}).`
  return atMs > nowMs + furthestMs ? '"scheduledAt" must be at most five years in the future.' : undefined
}

/** The time of a post in UTC; rejects the past and times more than five years ahead. */
export const futureMoment = (text: string, nowMs: number): string => {
  const atMs = Date.parse(text)
  const why = whyNotAt(atMs, nowMs)
  if (why !== undefined) throw new Refusal('invalid', why, { code: 'invalid_input', field: 'scheduledAt' })
  return new Date(atMs).toISOString()
}

/** The same as issues of a validation. */
export const timeIssues = (text: string, nowMs: number): Issue[] => {
  const message = whyNotAt(Date.parse(text), nowMs)
  if (message === undefined) return []
  const next = 'Choose another time.'
  const code = 'invalid_input'
  return [{ socialAccountId: null, platform: 'unknown', code, field: 'scheduledAt', message, next }]
}

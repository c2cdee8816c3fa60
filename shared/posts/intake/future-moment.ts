import { Refusal } from '../../errors/refusal.ts'
import { dayMs } from '../../time.ts'

const furthestMs = 5 * 366 * dayMs

/** The time of a post in UTC; rejects the past and times more than five years ahead. */
export const futureMoment = (text: string, nowMs: number): string => {
  const refuse = (rule: string) => {
    throw new Refusal('invalid', `"scheduledAt" ${rule}.`, { code: 'invalid_input', field: 'scheduledAt' })
  }
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs)) refuse('must be a real date and time')
  if (atMs <= nowMs) refuse(`must be in the future (server time ${new Date(nowMs).toISOString()})`)
  if (atMs > nowMs + furthestMs) refuse('must be at most five years in the future')
  return new Date(atMs).toISOString()
}

import type { ActingAssistant, Context } from '../../context.ts'
import { onlyConditionFailed } from '../../db/condition-failed.ts'
import { absent, anyOf, atMost, type Condition } from '../../db/expression.ts'
import type { Key, Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { localTime, nextTimeOfDay } from '../../local-time.ts'
import { dayMs } from '../../time.ts'

type Safety = ActingAssistant['safety']
type QuietHours = NonNullable<Safety['quietHours']>

const minuteOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

const isQuiet = ({ from, to, timeZone }: QuietHours, momentMs: number): boolean => {
  const { minute } = localTime(momentMs, timeZone)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  return start < end ? minute >= start && minute < end : minute >= start || minute < end
}

/** Rejects posts of an assistant that would be published in its quiet hours. */
const assertNotQuiet = (quietHours: QuietHours, dueMs: readonly number[]): void => {
  const quiet = dueMs.find((momentMs) => isQuiet(quietHours, momentMs))
  if (quiet === undefined) return
  const { from, to, timeZone } = quietHours
  const next = new Date(nextTimeOfDay(quiet, timeZone, minuteOf(to))).toISOString()
  const text = `This connection publishes nothing from ${from} to ${to} (${timeZone}). Schedule it for ${next} or later.`
  throw new Refusal('forbidden', text, {
    code: 'assistant_quiet_hours',
    field: 'scheduledAt',
    extra: { nextAllowedAt: next },
  })
}

/** Rejects posts that an assistant may not publish at these times. Other callers have no such limits. */
export const assertMayPublish = (ctx: Context, dueMs: readonly number[]): void => {
  const quietHours = ctx.assistant?.safety.quietHours
  if (quietHours !== undefined) assertNotQuiet(quietHours, dueMs)
}

/** The name of the write that takes posts from the budget: if its condition fails, the budget is used up. */
const budgetWrite = 'assistant-budget'

/** Decided: a day of the budget is a day of the time zone of the quiet hours, otherwise of UTC. */
const zoneOf = ({ quietHours }: Safety) => quietHours?.timeZone ?? 'UTC'

const budgetKey = (workspaceId: string, connectionId: string, day: string): Key => ({
  PK: `WS#${workspaceId}`,
  SK: `ASSISTANTDAY#${connectionId}#${day}`,
})

const budgetExceeded = (ctx: Context, { safety }: ActingAssistant, count: number): Refusal => {
  const now = ctx.clock.now()
  const resetMs = nextTimeOfDay(now, zoneOf(safety), 0)
  const limit = `This connection creates, rewrites, or removes at most ${safety.postsPerDay} posts a day`
  const text = `${limit}, and fewer than ${count} are left. Continue after ${new Date(resetMs).toISOString()}, or save drafts.`
  return new Refusal('limited', text, {
    code: 'assistant_budget_used',
    retryAfterSeconds: Math.ceil((resetMs - now) / 1000),
  })
}

/** The write that takes posts from an assistant's budget for today if enough are left; no write without a budget. */
export const takeBudget = (ctx: Context, workspaceId: string, count: number): Write[] => {
  const { assistant } = ctx
  const postsPerDay = assistant?.safety.postsPerDay
  if (assistant === undefined || postsPerDay === undefined || count === 0) return []
  if (count > postsPerDay) throw budgetExceeded(ctx, assistant, count)
  const now = ctx.clock.now()
  const { day } = localTime(now, zoneOf(assistant.safety))
  const left: Condition = anyOf(absent('used'), atMost('used', postsPerDay - count))
  const ttl = Math.ceil((now + 3 * dayMs) / 1000)
  const change = { add: { used: count }, set: { type: 'AssistantDay', workspaceId, ttl } }
  return [{ as: budgetWrite, update: budgetKey(workspaceId, assistant.connectionId, day), change, when: left }]
}

/** The error of a write that took posts from a budget: the refusal, if only the budget failed. */
export const orBudgetExceeded = (ctx: Context, count: number, error: unknown): unknown =>
  ctx.assistant !== undefined && onlyConditionFailed(error, budgetWrite)
    ? budgetExceeded(ctx, ctx.assistant, count)
    : error

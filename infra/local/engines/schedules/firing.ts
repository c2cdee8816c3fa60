import { randomUUID } from 'node:crypto'
import type { Book } from './book.ts'
import { type Delivery, deadLetterOf, deliveryOf } from './delivery.ts'
import { parseExpression } from './expression.ts'
import { arnOfSchedule, type Definition, type Invocation, type Schedule } from './schedule.ts'

export type Deliver = (delivery: Delivery) => Promise<void>

/** When a new schedule fires first; a rate without StartDate starts immediately (user guide, schedule types). */
export function firstFiring(definition: Definition, now: number): number | undefined {
  const expression = parseExpression(definition.ScheduleExpression, definition.ScheduleExpressionTimezone)
  if (expression.kind === 'at') return expression.at
  const first = Math.max((definition.StartDate ?? 0) * 1000, now)
  return beforeEnd(definition, first)
}

function nextFiring({ definition, nextAt = 0 }: Schedule, now: number): number | undefined {
  const expression = parseExpression(definition.ScheduleExpression, definition.ScheduleExpressionTimezone)
  return expression.kind === 'at' ? undefined : beforeEnd(definition, nextInStep(nextAt, expression.everyMs, now))
}

/** The first step after now: firings that were missed while the engine was down are not made up for one by one. */
function nextInStep(from: number, everyMs: number, now: number): number {
  return from + (Math.floor((now - from) / everyMs) + 1) * everyMs
}

function beforeEnd({ EndDate }: Definition, moment: number): number | undefined {
  return EndDate === undefined || moment < EndDate * 1000 ? moment : undefined
}

/** Turns every schedule that is due into an invocation and moves it on. */
export function fireDue(book: Book): void {
  const now = book.now()
  for (const [key, schedule] of book.schedules) {
    const { nextAt, definition, group, name } = schedule
    if (nextAt === undefined || nextAt > now || definition.State === 'DISABLED') continue
    const fate = book.faults.onFire?.(name) ?? 'keep'
    const copies = { keep: 1, lose: 0, double: 2 }[typeof fate === 'object' ? 'keep' : fate]
    for (let copy = 0; copy < copies; copy++) {
      const dueAt = typeof fate === 'object' ? now + fate.delaySeconds * 1000 : now
      const id = randomUUID()
      const scheduleArn = arnOfSchedule(group, name)
      book.invocations.set(id, { id, scheduleArn, target: definition.Target, scheduledAt: nextAt, dueAt, attempts: 0 })
    }
    const next = nextFiring(schedule, now)
    if (next === undefined && definition.ActionAfterCompletion === 'DELETE') book.schedules.delete(key)
    else book.schedules.set(key, { ...schedule, nextAt: next })
  }
}

const firstBackoffMs = 1_000
const longestBackoffMs = 300_000

/** Tries an invocation once; a failed one is retried later, dead-lettered, or dropped. */
export async function attempt(book: Book, invocation: Invocation, deliver: Deliver): Promise<void> {
  const tried = { ...invocation, attempts: invocation.attempts + 1 }
  try {
    await deliver(deliveryOf(tried))
    book.invocations.delete(invocation.id)
  } catch (error) {
    await retryOrBury(book, tried, error, deliver)
  }
}

async function retryOrBury(book: Book, invocation: Invocation, error: unknown, deliver: Deliver): Promise<void> {
  const { id, attempts, scheduledAt, target } = invocation
  const { RetryPolicy, DeadLetterConfig } = target
  const { MaximumRetryAttempts, MaximumEventAgeInSeconds } = RetryPolicy
  const dueAt = book.now() + Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempts - 1))
  const tooOld = dueAt > scheduledAt + MaximumEventAgeInSeconds * 1000
  const exhausted = attempts > MaximumRetryAttempts ? 'MaximumRetryAttempts' : tooOld && 'MaximumEventAgeInSeconds'
  if (!exhausted) return void book.invocations.set(id, { ...invocation, dueAt })
  book.invocations.delete(id)
  // A dead-letter queue that fails too loses the event, as on AWS; the next lines must still run.
  if (DeadLetterConfig?.Arn)
    await deliver(deadLetterOf(invocation, DeadLetterConfig.Arn, error, exhausted)).catch(() => {})
}

/** When anything fires or is retried; undefined if nothing is pending except deliveries in flight. */
export function nextDueAt(book: Book): number | undefined {
  let next = Number.POSITIVE_INFINITY
  for (const { id, dueAt } of book.invocations.values()) if (!book.running.has(id)) next = Math.min(next, dueAt)
  for (const { nextAt, definition } of book.schedules.values()) {
    if (nextAt !== undefined && definition.State === 'ENABLED') next = Math.min(next, nextAt)
  }
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

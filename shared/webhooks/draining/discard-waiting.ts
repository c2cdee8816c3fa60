import type { Context } from '../../context.ts'
import { minuteMs } from '../../time.ts'
import { closeWithoutAttempt } from '../deliveries/lifecycle/close.ts'
import { alertDisabled } from './alert-team.ts'
import { indexLagMs, type LeasedEndpoint, type StepResult } from './step.ts'
import { readWaiting } from './waiting.ts'

const perStep = 100

const emailRetryMs = 15 * minuteMs

/**
 * Discards the waiting deliveries of a disabled or deleted endpoint. Owners and admins are notified if the service
 * disabled it.
 */
export const discardWaiting = async (ctx: Context, { endpoint, health }: LeasedEndpoint): Promise<StepResult> => {
  const waiting = await readWaiting(ctx, health, { count: perStep })
  await Promise.all(waiting.map(({ delivery }) => closeWithoutAttempt(ctx, delivery, 'discarded')))
  const transition = 'discard'
  if (waiting.length > 0) return { transition, nextMs: 0 }
  if (health.drained) return { transition }
  const { disabledReason, deletedAt } = endpoint
  const byService = disabledReason !== null && deletedAt === undefined
  if (byService && !(await alertDisabled(ctx, endpoint, disabledReason))) {
    return { transition, nextMs: emailRetryMs }
  }
  return { transition, set: { drained: true }, nextMs: indexLagMs }
}

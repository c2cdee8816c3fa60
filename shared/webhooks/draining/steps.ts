import type { Context } from '../../context.ts'
import { minuteMs } from '../../time.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { attemptDelivery } from '../deliveries/attempt.ts'
import { closeWithoutAttempt } from '../deliveries/lifecycle/writes.ts'
import { type Outcome, requestedDelaySeconds } from '../deliveries/send-request.ts'
import { deliveryWork } from '../deliveries/work.ts'
import { disableEndpoint } from '../endpoints/disable.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'
import {
  isBeyondRecovery,
  maxSlowRequests,
  noticeDue,
  probeWaitMs,
  recoveryPerSecond,
  slowAfterMs,
} from '../health/policy.ts'
import type { Health } from '../health/row.ts'
import type { HealthState } from '../health/state.ts'
import type { HealthTransition } from '../health/transitions.ts'
import { alertDisabled, alertFailing } from './alert-team.ts'
import { readWaiting, type WaitingDelivery } from './waiting.ts'

/** An endpoint that is leased for one step. */
export interface LeasedEndpoint {
  workspace: Workspace
  endpoint: WebhookEndpoint
  health: Health
}

/** What a step returns: the transition of the endpoint's health, and the time until the next step, if there is one. */
export interface StepResult {
  transition: HealthTransition
  set?: Partial<Pick<Health, 'recheckCount' | 'probeCount' | 'recovery' | 'lastNoticeHours' | 'drained'>>
  nextMs?: number
}

/** A recovered endpoint is rechecked immediately, for what was enqueued during the lease, and once more later. */
export const recovered: StepResult = { transition: 'recover', nextMs: 0 }

/** The maximum lag of an index behind the table. */
const indexLagMs = 60_000

/** Sends waiting deliveries concurrently. Deliveries whose event has expired are discarded. Returns the outcomes. */
const sendWaiting = async (
  ctx: Context,
  leased: LeasedEndpoint,
  waiting: readonly WaitingDelivery[],
  probeCount?: number,
): Promise<Outcome[]> => {
  const probe = probeCount === undefined ? {} : { probeCount }
  const outcomes = await Promise.all(
    waiting.map(async ({ delivery, event, correlationId }) => {
      if (event) return attemptDelivery(ctx, { ...leased, delivery, event, correlationId, isStored: true, ...probe })
      await closeWithoutAttempt(ctx, delivery, 'discarded')
      return undefined
    }),
  )
  return outcomes.filter((outcome) => outcome !== undefined)
}

const perStep = 100
const secondMs = 1000

/**
 * Enqueues the deliveries that are still waiting for a recovered endpoint: first those deferred during the lease, and a
 * minute later those that the index, which can lag, did not show.
 */
export const recheck = async (
  ctx: Context,
  { health }: LeasedEndpoint,
  { recheckCount }: Extract<HealthState, { kind: 'active' }>,
): Promise<StepResult> => {
  const isFirst = recheckCount === 0
  const dueMs = ctx.clock.now() - (isFirst ? 0 : indexLagMs)
  const left = await readWaiting(ctx, health, { count: perStep, dueMs })
  await deliveryWork.enqueueAll(
    ctx,
    left.map(({ delivery }) => delivery),
  )
  if (left.length === perStep) return { transition: 'continue', nextMs: secondMs }
  if (!isFirst) return { transition: 'continue' }
  return { transition: 'recheck', set: { recheckCount: 1 }, nextMs: indexLagMs }
}

/** Sends a slow endpoint some of the due deliveries, and the next ones when all of these have a response. */
export const sendSlowly = async (ctx: Context, leased: LeasedEndpoint): Promise<StepResult> => {
  const due = await readWaiting(ctx, leased.health, { count: maxSlowRequests, dueMs: ctx.clock.now() })
  // The next delivery enqueues the next step.
  if (due.length === 0) return { transition: 'continue' }
  const outcomes = await sendWaiting(ctx, leased, due)
  const isQuick = outcomes.length > 0 && outcomes.every(({ durationMs }) => durationMs < slowAfterMs)
  return isQuick && due.length < maxSlowRequests ? recovered : { transition: 'continue', nextMs: 0 }
}

/**
 * Sends a recovering endpoint its parked deliveries, oldest first, at the current rate. Deliveries created since the
 * recovery began are sent immediately, and so are those that fail now.
 */
export const sendParked = async (
  ctx: Context,
  leased: LeasedEndpoint,
  { sinceMs, rampStartMs }: Extract<HealthState, { kind: 'recovering' }>,
): Promise<StepResult> => {
  const count = recoveryPerSecond(ctx.clock.now() - rampStartMs)
  const parked = await readWaiting(ctx, leased.health, { count, createdByMs: sinceMs })
  if (parked.length === 0) return recovered
  const outcomes = await sendWaiting(ctx, leased, parked)
  if (outcomes.every(({ errorCode }) => errorCode === null)) return { transition: 'continue', nextMs: secondMs }
  const recovery = { sinceMs, rampStartMs: ctx.clock.now() }
  return { transition: 'restartRamp', set: { recovery }, nextMs: secondMs }
}

const noSuccessReason = 'No delivery succeeded for five days.'

/** Sends a failing endpoint the oldest waiting delivery, and no other. Disables it after five days. */
export const probe = async (
  ctx: Context,
  leased: LeasedEndpoint,
  { sinceMs, probeCount: probed, lastNoticeHours }: Extract<HealthState, { kind: 'failing' }>,
): Promise<StepResult> => {
  const { workspace, endpoint, health } = leased
  const [oldest] = await readWaiting(ctx, health, { count: 1 })
  // Without a delivery to probe with, the next event is the probe: one failure makes the endpoint failing again.
  if (!oldest) return recovered
  const probeCount = probed + 1
  const [outcome] = await sendWaiting(ctx, leased, [oldest], probeCount)
  if (!outcome || outcome.errorCode === null) return { transition: 'continue', nextMs: 0 }
  const failingForMs = ctx.clock.now() - sinceMs
  if (isBeyondRecovery(failingForMs, health.failures + 1)) {
    await disableEndpoint(ctx, workspace, endpoint, noSuccessReason)
    return { transition: 'continue', nextMs: 0 }
  }
  const hours = noticeDue(failingForMs, lastNoticeHours)
  if (probed === 0) await alertFailing(ctx, endpoint, sinceMs, 0)
  const isNotified = hours !== undefined && (await alertFailing(ctx, endpoint, sinceMs, hours))
  const set = { probeCount, ...(isNotified ? { lastNoticeHours: hours } : {}) }
  return { transition: 'probe', set, nextMs: probeWaitMs(probeCount, requestedDelaySeconds(outcome)) }
}

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

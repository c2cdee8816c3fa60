import type { Context } from '../../../context.ts'
import { conditionFailed, TransactionFailed, wasCurrent } from '../../../db/condition-failed.ts'
import { absent, equal } from '../../../db/expression.ts'
import type { Claimed } from '../../../db/lease.ts'
import { sweepAt } from '../../../db/sweep-at.ts'
import { put, transact, updateOnly, type Write } from '../../../db/table.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import { disableEndpoint } from '../../endpoints/disable.ts'
import type { WebhookEndpoint } from '../../endpoints/endpoint.ts'
import { type Health, healths } from '../../health/row.ts'
import type { Outcome } from '../send-request.ts'
import { deliveryWork } from '../work.ts'
import { type NextStep, scheduleEndsMs } from './next-step.ts'
import { type AttemptRecord, type Delivery, deliveries, waitingKey } from './row.ts'
import { isPending, notEnded } from './state.ts'
import { deliveryLifecycle, endings, type FinalStatus } from './transitions.ts'

/** Claims a delivery to send it; undefined if another worker holds it or it has ended. */
export const claimDelivery = (ctx: Context, delivery: Delivery): Promise<Claimed<Delivery> | undefined> =>
  deliveryWork.claim(ctx, delivery, deliveryLifecycle.change('claim', {}))

/** Lets the drain of its endpoint find a delivery; false if the drain could find it before. */
export const letDrainFind = async (ctx: Context, delivery: Delivery): Promise<boolean> => {
  if (delivery.waitingKey !== undefined) return false
  const change = deliveryLifecycle.change('defer', { set: { waitingKey: waitingKey(delivery) } })
  return wasCurrent(updateOnly(ctx, deliveries.key(delivery), change, isPending(ctx.clock.now())))
}

/**
 * Parks a delivery of a failing endpoint until its schedule is over or a probe succeeds. It is parked only while the
 * endpoint is failing, so that the transition out of `failing` finds it. If the endpoint has recovered, or another worker
 * sends or has sent the delivery, nothing is written: the sweep time of the row triggers another run.
 */
export const parkDelivery = async (ctx: Context, health: Health, delivery: Delivery): Promise<void> => {
  const untilMs = delivery.firstAtMs + scheduleEndsMs
  const change = deliveryLifecycle.change('park', {
    set: { waitingKey: waitingKey(delivery), ...sweepAt(delivery.id, untilMs) },
  })
  const writes = [
    { update: deliveries.key(delivery), change, when: isPending(ctx.clock.now()) },
    { check: healths.key(health), when: equal('state', 'failing') },
  ]
  await wasCurrent(transact(ctx, () => writes))
}

/** Ends a delivery without another attempt; does nothing if it has already ended. */
export const closeWithoutAttempt = async (
  ctx: Context,
  delivery: Delivery,
  status: 'discarded' | 'exhausted',
): Promise<void> => {
  await wasCurrent(updateOnly(ctx, deliveries.key(delivery), deliveryLifecycle.change(endings[status], {}), notEnded))
}

const goneReason = 'The receiver returned 410 Gone.'

const recordOf = ({ durationMs, httpStatus, errorCode, responseSnippet }: Outcome, nowMs: number): AttemptRecord => ({
  requestedAt: new Date(nowMs - durationMs).toISOString(),
  durationMs,
  httpStatus,
  errorCode,
  responseSnippet,
})

/** The row of the next attempt, which waits. */
const nextWrite = ({ row, sweepAtMs }: NonNullable<NextStep['next']>): Write => ({
  put: { ...deliveries.item({ ...row, waitingKey: waitingKey(row) }), ...sweepAt(row.id, sweepAtMs) },
  when: absent('PK'),
})

/** False if the endpoint has changed in the meantime; the response is logged in any case. */
const tryDisable = async (...change: Parameters<typeof disableEndpoint>): Promise<boolean> => {
  try {
    await disableEndpoint(...change)
    return true
  } catch (error) {
    if (error instanceof TransactionFailed || error instanceof Refusal) return false
    throw error
  }
}

/**
 * The write that logs an attempt, and the same as a single write: for the row that its worker has claimed, or for a new row.
 */
const endOf = (ctx: Context, delivery: Delivery, status: FinalStatus, outcome: AttemptRecord) => {
  const { leaseToken, nextAttemptAt: _, ...begun } = delivery
  if (leaseToken !== undefined) {
    const [claimed, change] = [
      { ...delivery, leaseToken },
      deliveryLifecycle.change(endings[status], { set: { outcome } }),
    ]
    return { write: deliveryWork.endWrite(claimed, change), alone: () => deliveryWork.end(ctx, claimed, change) }
  }
  const item = deliveries.item({ ...begun, status: deliveryLifecycle.to(endings[status]), outcome })
  const when = absent('PK')
  return { write: { put: item, when }, alone: () => wasCurrent(put(ctx, item, when)) }
}

/** Logs an attempt and the next step in one transaction; false if another worker has taken or logged the delivery. */
export const completeDelivery = async (
  ctx: Context,
  { workspace, endpoint, delivery }: { workspace: Workspace; endpoint: WebhookEndpoint; delivery: Delivery },
  outcome: Outcome,
  { status, next, gone }: NextStep,
): Promise<boolean> => {
  const { write, alone } = endOf(ctx, delivery, status, recordOf(outcome, ctx.clock.now()))
  const end = { as: 'delivery', ...write }
  if (gone && (await tryDisable(ctx, workspace, endpoint, goneReason, [end]))) return true
  if (!next) return alone()
  try {
    await transact(ctx, () => [end, nextWrite(next)])
    return true
  } catch (error) {
    if (conditionFailed(error, 'delivery')) return false
    throw error
  }
}

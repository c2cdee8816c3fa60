import type { Context } from '../../../context.ts'
import { conditionFailed, TransactionFailed, wasCurrent } from '../../../db/condition-failed.ts'
import { absent } from '../../../db/expression.ts'
import { sweepAt } from '../../../db/sweep-at.ts'
import { type Key, transact, updateOnly, type Write } from '../../../db/table.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import { disableEndpoint } from '../../endpoints/disable.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import type { Outcome } from '../send-request.ts'
import { notEnded } from './condition.ts'
import type { NextStep } from './next-step.ts'
import { type AttemptRecord, type Delivery, deliveries, waitingKey } from './row.ts'
import { deliveryLifecycle, endings } from './transitions.ts'

const goneReason = 'The receiver answered 410 Gone.'

const recordOf = ({ durationMs, httpStatus, errorCode, responseSnippet }: Outcome, nowMs: number): AttemptRecord => ({
  requestedAt: new Date(nowMs - durationMs).toISOString(),
  durationMs,
  httpStatus,
  errorCode,
  responseSnippet,
})

type EndWrite = Extract<Write, { update: Key }>

const endWrite = (delivery: Delivery, status: NextStep['status'], outcome: AttemptRecord): EndWrite => ({
  as: 'delivery',
  update: deliveries.key(delivery),
  change: deliveryLifecycle.change(endings[status], { set: { outcome } }),
  when: notEnded,
})

/** The row of the next attempt, which waits. */
const nextWrite = ({ row, sweepAtMs }: NonNullable<NextStep['next']>): Write => ({
  put: { ...deliveries.item({ ...row, waitingKey: waitingKey(row) }), ...sweepAt(row.id, sweepAtMs) },
  when: absent('PK'),
})

/** False if the endpoint has changed meanwhile; the response is logged in any case. */
const tryDisable = async (...change: Parameters<typeof disableEndpoint>): Promise<boolean> => {
  try {
    await disableEndpoint(...change)
    return true
  } catch (error) {
    if (error instanceof TransactionFailed || error instanceof Refusal) return false
    throw error
  }
}

/** Logs an attempt and the next step in one transaction; false if another worker has logged it. */
export const completeDelivery = async (
  ctx: Context,
  { workspace, endpoint, delivery }: { workspace: Workspace; endpoint: Endpoint; delivery: Delivery },
  outcome: Outcome,
  { status, next, gone }: NextStep,
): Promise<boolean> => {
  const end = endWrite(delivery, status, recordOf(outcome, ctx.clock.now()))
  if (gone && (await tryDisable(ctx, workspace, endpoint, goneReason, [end]))) return true
  if (!next) return wasCurrent(updateOnly(ctx, end.update, end.change, notEnded))
  try {
    await transact(ctx, () => [end, nextWrite(next)])
    return true
  } catch (error) {
    if (conditionFailed(error, 'delivery')) return false
    throw error
  }
}

import type { Context } from '../../context.ts'
import { absent, equal } from '../../db/expression.ts'
import { isLost } from '../../db/lost.ts'
import { notSwept, sweepAt } from '../../db/sweep-at.ts'
import { ConditionFailed, type Key, TransactionFailed, transact, updateOnly, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { disableEndpoint } from '../endpoints/disable.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { type Delivery, deliveries } from './delivery.ts'
import type { NextStep } from './next-step.ts'
import type { Outcome } from './send-request.ts'

const goneReason = 'The receiver answered 410 Gone.'

type LogWrite = Extract<Write, { update: Key }>

const log = (
  delivery: Delivery,
  status: Delivery['status'],
  outcome: Outcome | undefined,
  nowMs: number,
): LogWrite => ({
  update: deliveries.key(delivery),
  change: {
    set: {
      status,
      nextAttemptAt: null,
      requestedAt: outcome ? new Date(nowMs - outcome.durationMs).toISOString() : null,
      durationMs: outcome?.durationMs ?? null,
      httpStatus: outcome?.httpStatus ?? null,
      errorCode: outcome?.errorCode ?? null,
      responseSnippet: outcome?.responseSnippet ?? null,
    },
    remove: ['leaseUntilMs', 'waitingKey', ...notSwept],
  },
  when: equal('status', 'pending'),
})

/** The row of the attempt to come. */
const plan = ({ row, sweepAtMs }: NonNullable<NextStep['next']>): Write => ({
  put: { ...deliveries.item(row), ...sweepAt(row.id, sweepAtMs) },
  when: absent('PK'),
})

const write = async (ctx: Context, { update: key, change, when }: LogWrite): Promise<boolean> => {
  try {
    await updateOnly(ctx, key, change, when)
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** Logs that no attempt is made any more; nothing where somebody has logged one. */
export const closeWithoutAttempt = async (
  ctx: Context,
  delivery: Delivery,
  status: 'discarded' | 'exhausted',
): Promise<void> => {
  await write(ctx, log(delivery, status, undefined, ctx.clock.now()))
}

/** Logs an attempt and what follows from it in one transaction; false where somebody else has logged it. */
export const finish = async (
  ctx: Context,
  of: { workspace: Workspace; endpoint: Endpoint; delivery: Delivery },
  outcome: Outcome,
  { status, next, gone }: NextStep,
): Promise<boolean> => {
  const now = ctx.clock.now()
  const row = log(of.delivery, status, outcome, now)
  try {
    if (gone && (await tryDisable(ctx, of.workspace, of.endpoint, goneReason, [row]))) return true
    if (!next) return await write(ctx, row)
    await transact(ctx, () => [row, plan(next)])
    return true
  } catch (error) {
    if (isLost(error)) return false
    throw error
  }
}

/** False where the endpoint has changed meanwhile: what was answered is logged all the same. */
const tryDisable = async (...change: Parameters<typeof disableEndpoint>): Promise<boolean> => {
  try {
    await disableEndpoint(...change)
    return true
  } catch (error) {
    if (error instanceof TransactionFailed || error instanceof Refusal) return false
    throw error
  }
}

import type { Context } from '../../context.ts'
import { conditionFailed, ifCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import { leaseGraceMs, sweepAt } from '../../db/sweep-at.ts'
import { transact } from '../../db/table.ts'
import type { IdempotencyWrites } from '../../http/idempotency-writes.ts'
import { ulid } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { budgetExceeded, budgetWrite, chargedOf, release, reservationOf, reserve, settle } from '../budget/charge.ts'
import { ProviderFailure, refusalOf } from '../failure.ts'
import type { Usage } from '../models/model.ts'
import { priceOf } from '../price.ts'
import type { TextSettings } from '../settings.ts'
import { type AiJob, aiJobs } from './job.ts'

/** Longer than an endpoint's function lives: when the lease ends, its holder is dead. */
const leaseMs = 45_000

/** What a call costs, as the response shows it. */
export interface CallUsage extends Usage {
  costMicroUsd: number
}

const begin = async (ctx: Context, workspace: Workspace, userId: string, reservedMicroUsd: number): Promise<AiJob> => {
  const now = ctx.clock.now()
  const reservation = reservationOf(ctx, workspace, 'text', reservedMicroUsd)
  const row: AiJob = {
    id: `aij_${ulid(now)}`,
    userId,
    ...reservation,
    ...{ status: 'running', attempts: 1, version: 1, leaseUntilMs: now + leaseMs },
    createdAt: new Date(now).toISOString(),
  }
  const sweep = sweepAt(row.id, now + leaseMs + leaseGraceMs)
  try {
    await transact(ctx, () => [reserve(ctx, workspace, reservation), { put: { ...aiJobs.item(row), ...sweep } }])
  } catch (error) {
    throw conditionFailed(error, budgetWrite) ? await budgetExceeded(ctx, workspace, reservation.month) : error
  }
  return row
}

/** The name of the write that ends a call: its condition fails if the call ended without us. */
const callWrite = 'ai-call'

const isOurs = ({ version }: AiJob) => allOf(present('PK'), equal('version', version))

/** Ends a call without a charge; does nothing if its reservation was already returned. */
export const abandonCall = async (ctx: Context, call: AiJob): Promise<void> => {
  await ifCurrent(transact(ctx, () => [{ delete: aiJobs.key(call), when: isOurs(call) }, release(call)]))
}

/**
 * Runs a call that is paid by the workspace: reserves what it can cost, and charges what it has cost in the transaction
 * that stores the response for its Idempotency-Key. A call that fails costs nothing. If its function dies, the sweeper
 * returns the reservation.
 */
export const runCharged = async <D extends object>(
  ctx: Context,
  workspace: Workspace,
  userId: string,
  { settings, reservedMicroUsd }: { settings: TextSettings; reservedMicroUsd: number },
  idempotencyWrites: IdempotencyWrites,
  run: () => Promise<{ data: D; usage: Usage }>,
): Promise<D & { usage: CallUsage }> => {
  const call = await begin(ctx, workspace, userId, reservedMicroUsd)
  try {
    const { data, usage } = await run()
    const costMicroUsd = chargedOf(call, priceOf(settings, usage))
    const response = { ...data, usage: { ...usage, costMicroUsd } }
    await transact(ctx, () => [
      { as: callWrite, delete: aiJobs.key(call), when: isOurs(call) },
      settle(call, costMicroUsd, usage),
      ...idempotencyWrites(response),
    ])
    return response
  } catch (error) {
    // The sweeper returns the reservation if this write fails as well.
    await abandonCall(ctx, call).catch((failure: unknown) =>
      ctx.log.warn('a reservation is left to the sweeper', { reason: String(failure) }),
    )
    // The sweeper has returned the reservation, or the workspace was deleted: the answer came too late to be charged.
    const failure = conditionFailed(error, callWrite) ? new ProviderFailure('timeout', 'the call has ended') : error
    if (!(failure instanceof ProviderFailure)) throw error
    ctx.log.warn('the AI provider failed', { failure: failure.message })
    throw refusalOf(failure)
  }
}

import { commit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { conditionFailed, ifCurrent } from '../../db/condition-failed.ts'
import { equal } from '../../db/expression.ts'
import { type Claimed, leaseOf } from '../../db/lease.ts'
import { ulid } from '../../ids.ts'
import { endpointTimeoutSeconds } from '../../resources.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import {
  budgetExceeded,
  budgetWrite,
  chargedOf,
  chargeWrites,
  release,
  reservationOf,
  reserve,
} from '../budget/charge.ts'
import { ProviderFailure, refusalOf } from '../failure.ts'
import { priceOf, type Usage } from '../models/model.ts'
import type { TextSettings } from '../settings.ts'
import { type AiJob, aiJobs } from './job.ts'

/** The cost of a call, as the response shows it. */
export interface CallUsage extends Usage {
  costMicroUsd: number
}

/** Who calls which model, and the maximum cost of the call. */
interface Charge {
  userId: string
  settings: TextSettings
  reservedMicroUsd: number
}

const begin = async (
  ctx: Context,
  workspace: Workspace,
  { userId, reservedMicroUsd }: Charge,
): Promise<Claimed<AiJob>> => {
  const now = ctx.clock.now()
  const reservation = reservationOf(ctx, workspace, 'text', reservedMicroUsd)
  const row: Claimed<AiJob> = {
    id: `aij_${ulid(now)}`,
    userId,
    ...reservation,
    status: 'running',
    attempts: 1,
    leaseToken: 1,
    createdAt: new Date(now).toISOString(),
  }
  const lease = leaseOf(row.id, now, endpointTimeoutSeconds)
  try {
    const writes = [...reserve(ctx, workspace, reservation), { put: { ...aiJobs.item(row), ...lease } }]
    await commit(ctx, workspace, { writes })
  } catch (error) {
    throw conditionFailed(error, budgetWrite) ? await budgetExceeded(ctx, workspace, reservation.month) : error
  }
  return row
}

/** No one has ended the call: neither the sweeper's worker nor the deletion of the workspace. */
const ownsLease = ({ leaseToken }: Claimed<AiJob>) => equal('leaseToken', leaseToken)

/** The name of the write that ends a call: its condition fails if the call ended without us. */
const callWrite = 'ai-call'

/** Ends a call without a charge; does nothing if its reservation was already returned. */
export const abandonCall = async (ctx: Context, call: Claimed<AiJob>): Promise<void> => {
  const writes = [{ delete: aiJobs.key(call), when: ownsLease(call) }, ...release(call)]
  await ifCurrent(commit(ctx, { id: call.workspaceId }, { writes }))
}

/**
 * Runs a call that the workspace pays for: reserves its maximum cost, and charges its actual cost in the transaction that
 * stores the response for its Idempotency-Key. A failed call costs nothing. If its function dies, the sweeper returns the
 * reservation.
 */
export const runCharged = async <D extends object>(
  ctx: Context,
  workspace: Workspace,
  charge: Charge,
  run: () => Promise<{ data: D; usage: Usage }>,
): Promise<D & { usage: CallUsage }> => {
  const call = await begin(ctx, workspace, charge)
  try {
    const { data, usage } = await run()
    const costMicroUsd = chargedOf(call, priceOf(charge.settings, usage))
    const response = { ...data, usage: { ...usage, costMicroUsd } }
    await commit(ctx, workspace, {
      writes: [
        { as: callWrite, delete: aiJobs.key(call), when: ownsLease(call) },
        ...chargeWrites(call, costMicroUsd, usage),
      ],
      response: { data: response },
    })
    return response
  } catch (error) {
    // The sweeper returns the reservation if this write fails as well.
    await abandonCall(ctx, call).catch((failure: unknown) =>
      ctx.log.warn('a reservation is left to the sweeper', { reason: String(failure) }),
    )
    // The sweeper has returned the reservation, or the workspace was deleted: the response came too late to be charged.
    const failure = conditionFailed(error, callWrite) ? new ProviderFailure('timeout', 'the call has ended') : error
    if (!(failure instanceof ProviderFailure)) throw error
    ctx.log.warn('the AI provider failed', { failure: failure.message })
    throw refusalOf(failure)
  }
}

import type { Context } from '../../context.ts'
import type { Claimed } from '../../db/lease.ts'
import { batchGet } from '../../db/table.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { type Health, healths, ttlAt } from '../health/row.ts'
import { stateOf } from '../health/state.ts'
import { healthLifecycle } from '../health/transitions.ts'
import { type DrainMessage, drainWork } from '../health/work.ts'
import {
  discardWaiting,
  type LeasedEndpoint,
  probe,
  recheck,
  recovered,
  type StepResult,
  sendParked,
  sendSlowly,
} from './steps.ts'

const read = async (ctx: Context, { workspaceId, endpointId: id }: DrainMessage) => {
  const key = { workspaceId, id }
  const workspaceKey = { id: workspaceId }
  const rows = await batchGet(ctx, [endpoints.key(key), healths.key(key), workspaces.key(workspaceKey), pausesKey])
  return {
    endpoint: endpoints.from(rows, key),
    health: healths.from(rows, key),
    workspace: workspaces.from(rows, workspaceKey),
    isPaused: pausesIn(ctx, rows)({ workspaceId }),
  }
}

/** Runs the step of an endpoint in its state. */
const takeStep = (ctx: Context, leased: LeasedEndpoint): Promise<StepResult> => {
  const { endpoint, health } = leased
  if (!endpoint.enabled || endpoint.deletedAt !== undefined) return discardWaiting(ctx, leased)
  const state = stateOf(health)
  switch (state.kind) {
    case 'active':
      return recheck(ctx, leased, state)
    case 'slow':
      return sendSlowly(ctx, leased)
    case 'failing':
      return probe(ctx, leased, state)
    case 'recovering':
      return sendParked(ctx, leased, state)
    case 'disabled':
      // Enabled again in the meantime.
      return Promise.resolve(recovered)
  }
}

/** Ends the step, and continues if another one follows. */
const release = async (
  ctx: Context,
  claimed: Claimed<Health>,
  { transition, set, nextMs }: StepResult,
): Promise<void> => {
  const nowMs = ctx.clock.now()
  const change = healthLifecycle.change(transition, { set: { ...set, ttl: ttlAt(nowMs) } })
  const ownsLease =
    nextMs === undefined
      ? await drainWork.end(ctx, claimed, change)
      : await drainWork.continueAt(ctx, claimed, nowMs + nextMs, change)
  // The state has changed in the meantime: its next step is another one.
  if (!ownsLease) await drainWork.enqueue(ctx, claimed)
}

/** Runs one step for an endpoint whose deliveries are deferred, and plans the next one. */
export const drain = async (ctx: Context, message: DrainMessage): Promise<void> => {
  const nowMs = ctx.clock.now()
  const { endpoint, health, workspace, isPaused } = await read(ctx, message)
  if (!endpoint || !health || !workspace || isPaused || !drainWork.isDue(health, nowMs)) return
  const claimed = await drainWork.claim(ctx, health, { set: { ttl: ttlAt(nowMs) } })
  if (claimed) await release(ctx, claimed, await takeStep(ctx, { workspace, endpoint, health: claimed }))
}

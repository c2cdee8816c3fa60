import type { Context } from '../../context.ts'
import { notSwept, sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { batchGet } from '../../db/table.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { type DrainMessage, enqueueDrain } from '../health/enqueue-drain.ts'
import { type Health, healths } from '../health/row.ts'
import { stateOf } from '../health/state.ts'
import { leaseEndpoint, releaseUnchanged, releaseWith } from '../health/writes.ts'
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

const clockSkewMs = 500
/** Up to this delay the next step gets a message; the sweeper starts later ones. */
const maxMessageDelayMs = 10_000

const read = async (ctx: Context, { workspaceId, endpointId: id }: DrainMessage) => {
  const key = { workspaceId, id }
  const workspaceKey = { id: workspaceId }
  const found = await batchGet(ctx, [endpoints.key(key), healths.key(key), workspaces.key(workspaceKey)])
  return {
    endpoint: endpoints.from(found, key),
    health: healths.from(found, key),
    workspace: workspaces.from(found, workspaceKey),
  }
}

/** Takes the step of an endpoint in its state. */
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
      // Enabled again meanwhile.
      return Promise.resolve(recovered)
  }
}

/** What a step changes, with the time of the next one. */
const changeAfter = ({ id }: Health, { set, nextMs }: StepResult, nowMs: number) => {
  if (nextMs === undefined) return { set: { ...set }, remove: notSwept }
  const dueAtMs = nowMs + nextMs
  const sweepAtMs = nextMs <= maxMessageDelayMs ? dueAtMs + sweepGraceMs : dueAtMs
  return { set: { ...set, dueAtMs, ...sweepAt(id, sweepAtMs) }, remove: [] }
}

/** Ends the lease with the result of the step. If the state has changed meanwhile, the new state stays. */
const release = async (ctx: Context, leased: Health, result: StepResult): Promise<void> => {
  const now = ctx.clock.now()
  const released = await releaseWith(ctx, leased, result.transition, changeAfter(leased, result, now))
  if (released !== undefined) {
    const { nextMs } = result
    if (nextMs !== undefined && nextMs <= maxMessageDelayMs) await enqueueDrain(ctx, leased, nextMs / 1000)
    return
  }
  const changed = await releaseUnchanged(ctx, leased)
  if (changed && changed.dueAtMs <= now) await enqueueDrain(ctx, leased)
}

/** Takes one step for an endpoint whose deliveries are deferred, and plans the next one. */
export const drain = async (ctx: Context, message: DrainMessage): Promise<void> => {
  const { endpoint, health, workspace } = await read(ctx, message)
  if (!endpoint || !health || !workspace || ctx.clock.now() + clockSkewMs < health.dueAtMs) return
  const leased = await leaseEndpoint(ctx, health)
  if (!leased) return
  await release(ctx, leased, await takeStep(ctx, { workspace, endpoint, health: leased }))
}

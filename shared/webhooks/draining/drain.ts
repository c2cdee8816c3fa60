import type { Context } from '../../context.ts'
import { notSwept, sweepAt } from '../../db/sweep-at.ts'
import { batchGet } from '../../db/table.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import type { DrainMessage } from '../health/enqueue-drain.ts'
import { enqueueDrain } from '../health/enqueue-drain.ts'
import { type Health, healths, leaseEndpoint, releaseEndpoint } from '../health/row.ts'
import { close } from './close.ts'
import { recheck } from './look-again.ts'
import { probe } from './probe.ts'
import { release } from './release.ts'
import { sendSlowly } from './send-slowly.ts'
import { recovered, type Step, type StepResult } from './step.ts'

const steps: Readonly<Record<Health['state'], Step>> = {
  watched: recheck,
  slow: sendSlowly,
  failing: probe,
  recovering: release,
  // Switched on again meanwhile.
  closing: async () => recovered,
}

/** Clocks of two functions may differ. */
const clockSkewMs = 500
/** Waits up to this have a message; longer ones are the sweeper's. */
const messageMs = 10_000
const sweepGraceMs = 60_000

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

/** When a step was left, and what the next one needs: a time to wake, and a message where it is near. */
const planned = ({ id }: Health, { set, nextMs }: StepResult, nowMs: number) => {
  if (nextMs === undefined) return { set: { ...set }, remove: notSwept }
  const dueAtMs = nowMs + nextMs
  return { set: { ...set, dueAtMs, ...sweepAt(id, nextMs <= messageMs ? dueAtMs + sweepGraceMs : dueAtMs) } }
}

/** Gives the endpoint back with what the step left; where its state has changed meanwhile, that stands. */
const leave = async (ctx: Context, held: Health, left: StepResult): Promise<void> => {
  const now = ctx.clock.now()
  const kept = await releaseEndpoint(ctx, held, planned(held, left, now))
  if (kept !== undefined) {
    if (left.nextMs !== undefined && left.nextMs <= messageMs) await enqueueDrain(ctx, held, left.nextMs / 1000)
    return
  }
  const changed = await releaseEndpoint(ctx, held)
  if (changed && changed.dueAtMs <= now) await enqueueDrain(ctx, held)
}

/** Does one step for an endpoint that is not simply sent to, and plans the next. */
export const drain = async (ctx: Context, message: DrainMessage): Promise<void> => {
  const { endpoint, health, workspace } = await read(ctx, message)
  if (!endpoint || !health || !workspace || ctx.clock.now() + clockSkewMs < health.dueAtMs) return
  const taken = await leaseEndpoint(ctx, health)
  if (!taken) return
  const isOpen = endpoint.enabled && endpoint.deletedAt === undefined
  const step = isOpen ? steps[taken.state] : close
  await leave(ctx, taken, await step(ctx, { workspace, endpoint, health: taken }))
}

import { maxDelaySeconds, send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { attempt } from './attempt.ts'
import { claimDelivery } from './claim.ts'
import { deliveries, outboxIdOf } from './delivery.ts'
import { endpoints } from './endpoint.ts'
import { outbox } from './event.ts'
import { discard, finish } from './finish.ts'
import type { DeliverMessage } from './messages.ts'
import { openSecrets } from './secret.ts'
import { judge } from './verdict.ts'

/** All that an attempt needs, in one read. */
const read = async (ctx: Context, { workspaceId, endpointId, deliveryId: id }: DeliverMessage) => {
  const key = { workspaceId, endpointId, id }
  const outboxKey = { workspaceId, id: outboxIdOf(id) }
  const endpointKey = { workspaceId, id: endpointId }
  const workspaceKey = { id: workspaceId }
  const found = await batchGet(ctx, [
    deliveries.key(key),
    endpoints.key(endpointKey),
    workspaces.key(workspaceKey),
    outbox.key(outboxKey),
  ])
  const delivery = deliveries.from(found, key)
  return {
    delivery,
    endpoint: endpoints.from(found, endpointKey),
    workspace: workspaces.from(found, workspaceKey),
    event: delivery && outbox.from(found, outboxKey)?.events[delivery.eventIndex],
  }
}

/** Makes one attempt, logs it, and plans the next in the same transaction. */
export const deliver = async (ctx: Context, message: DeliverMessage): Promise<void> => {
  const { delivery, endpoint, workspace, event } = await read(ctx, message)
  if (!delivery || !workspace || delivery.status !== 'pending' || !(await claimDelivery(ctx, delivery))) return
  // Decided: a test goes out to a disabled endpoint too, so that it can be tried before it is switched on.
  const open = endpoint && !endpoint.deletedAt && (endpoint.enabled || delivery.test)
  if (!open || !event) return discard(ctx, delivery)
  const outcome = await attempt(ctx, endpoint, delivery, event, await openSecrets(ctx, workspace, endpoint))
  const verdict = judge(delivery, outcome, ctx.clock.now())
  const logged = await finish(ctx, { workspace, endpoint, delivery }, outcome, verdict)
  const { next } = verdict
  if (!logged || !next || next.waitSeconds > maxDelaySeconds) return
  const body: DeliverMessage = { ...message, deliveryId: next.row.id }
  await send(ctx, 'deliver', { body, group: message.workspaceId, delaySeconds: Math.ceil(next.waitSeconds) })
}

import * as z from 'zod/mini'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { HealthKey } from './row.ts'

/** The message to drain-endpoint: one step through the waiting deliveries of an endpoint. */
export const DrainMessage = z.object({ workspaceId: z.string(), endpointId: z.string() })
export type DrainMessage = z.infer<typeof DrainMessage>

/** Enqueues the next step of an endpoint whose deliveries are deferred. */
export const enqueueDrain = (ctx: Context, { workspaceId, id }: HealthKey, delaySeconds = 0): Promise<void> => {
  const body: DrainMessage = { workspaceId, endpointId: id }
  return send(ctx, 'drain', { body, group: id, delaySeconds })
}

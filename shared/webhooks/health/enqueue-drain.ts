import * as z from 'zod/mini'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { HealthKey } from './row.ts'

/** To drain-endpoint: one step through what waits for an endpoint. */
export const DrainMessage = z.object({ workspaceId: z.string(), endpointId: z.string() })
export type DrainMessage = z.infer<typeof DrainMessage>

/** Enqueues the next step of an endpoint whose deliveries are not sent as they come. */
export const enqueueDrain = (ctx: Context, { workspaceId, id }: HealthKey, delaySeconds = 0): Promise<void> => {
  const body: DrainMessage = { workspaceId, endpointId: id }
  return send(ctx, 'drain', { body, group: id, delaySeconds })
}

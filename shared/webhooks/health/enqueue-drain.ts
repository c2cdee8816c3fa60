import * as z from 'zod/mini'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** To drain-endpoint: one step through what waits for an endpoint that is failing, recovering, or slow. */
export const DrainMessage = z.object({ workspaceId: z.string(), endpointId: z.string() })
export type DrainMessage = z.infer<typeof DrainMessage>

/** Asks for the next step of an endpoint that is not simply sent to. */
export const enqueueDrain = (
  ctx: Context,
  { workspaceId, id }: Pick<Endpoint, 'workspaceId' | 'id'>,
  delaySeconds = 0,
): Promise<void> => {
  const body: DrainMessage = { workspaceId, endpointId: id }
  return send(ctx, 'drain', { body, group: id, delaySeconds })
}

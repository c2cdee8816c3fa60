import { send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import type { Endpoint } from './endpoint.ts'
import type { DrainMessage } from './messages.ts'

/** Asks for the next step of an endpoint that is not simply sent to. */
export const askForStep = (
  ctx: Context,
  { workspaceId, id }: Pick<Endpoint, 'workspaceId' | 'id'>,
  delaySeconds = 0,
): Promise<void> => {
  const body: DrainMessage = { workspaceId, endpointId: id }
  return send(ctx, 'drain', { body, group: id, delaySeconds })
}

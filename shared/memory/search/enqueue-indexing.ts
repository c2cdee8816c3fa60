import * as z from 'zod/mini'
import { type QueueMessage, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'

/** The message to update the index of a collection. */
export const IndexMessage = z.object({ workspaceId: z.string(), collectionId: z.string() })
export type IndexMessage = z.infer<typeof IndexMessage>

export const indexMessage = (workspaceId: string, collectionId: string): QueueMessage => {
  const body: IndexMessage = { workspaceId, collectionId }
  return { body, group: workspaceId }
}

/**
 * A memory is indexed when it is a minute old; a message that arrives a little later finds all memories it was sent
 * for.
 */
const delaySeconds = 65

/** Sends the message; if that fails, the next caller that needs the index sends another. */
export const enqueueIndexing = async (ctx: Context, workspaceId: string, collectionId: string): Promise<void> => {
  try {
    await send(ctx, 'index', { ...indexMessage(workspaceId, collectionId), delaySeconds })
  } catch (error) {
    ctx.log.warn('an index update was not enqueued', { collectionId, reason: String(error) })
  }
}

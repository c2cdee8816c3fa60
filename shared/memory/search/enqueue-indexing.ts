import * as z from 'zod/mini'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'

/** The message to update the indexes of a collection. */
export const IndexMessage = z.object({ workspaceId: z.string(), collectionId: z.string() })
export type IndexMessage = z.infer<typeof IndexMessage>

/**
 * A memory is indexed when it is a minute old; a message that arrives a little later finds all memories it was sent
 * for.
 */
const delaySeconds = 65

/** Sends the message; if that fails, the next caller that needs the index sends another. */
export const enqueueIndexing = async (ctx: Context, workspaceId: string, collectionId: string): Promise<void> => {
  const body: IndexMessage = { workspaceId, collectionId }
  try {
    await send(ctx, 'index', { body, group: workspaceId, delaySeconds })
  } catch (error) {
    ctx.log.warn('an index update was not enqueued', { collectionId, reason: String(error) })
  }
}

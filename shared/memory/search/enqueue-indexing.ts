import * as z from 'zod/mini'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'

/** Asks for the indexes of a collection to be brought up to date. */
export const IndexMessage = z.object({ workspaceId: z.string(), collectionId: z.string() })
export type IndexMessage = z.infer<typeof IndexMessage>

/** A memory is indexed when it is a minute old; a message that comes a little later finds all that it was sent for. */
const delaySeconds = 65

/** Sends the message; where that fails, the next one who sees the need sends another. */
export const enqueueIndexing = async (ctx: Context, workspaceId: string, collectionId: string): Promise<void> => {
  const body: IndexMessage = { workspaceId, collectionId }
  try {
    await send(ctx, 'index', { body, group: workspaceId, delaySeconds })
  } catch (error) {
    ctx.log.warn('an index was not asked for', { collectionId, reason: String(error) })
  }
}

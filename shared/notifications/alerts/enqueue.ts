import * as z from 'zod/mini'
import { enqueueOrSweep } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Topic } from './alert.ts'

/** The message to notify: a topic whose alerts are due. */
export const TopicMessage = z.object({ workspaceId: z.string(), topicId: z.string() })
export type TopicMessage = z.infer<typeof TopicMessage>

/** Enqueues a topic, with a delay. The sweeper sends it if the queue rejects it. */
export const enqueueTopic = (
  ctx: Context,
  { workspaceId, id: topicId }: Pick<Topic, 'workspaceId' | 'id'>,
  delaySeconds: number,
): Promise<void> => {
  const body: TopicMessage = { workspaceId, topicId }
  return enqueueOrSweep(ctx, 'notify', { body, group: workspaceId, delaySeconds })
}

import * as z from 'zod/mini'
import { present } from '../../db/expression.ts'
import { work } from '../../db/work.ts'
import { notifyWorker } from '../worker.ts'
import { topics } from './alert.ts'

/** The message to notify: a topic whose alerts are due. */
export const TopicMessage = z.object({ workspaceId: z.string(), topicId: z.string() })
export type TopicMessage = z.infer<typeof TopicMessage>

/** The waiting alerts of a topic become one notification. */
export const topicWork = work({
  entity: topics,
  ...notifyWorker,
  open: present('dueAtMs'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: topicId }) => {
    const body: TopicMessage = { workspaceId, topicId }
    return { body, group: workspaceId }
  },
})

import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { TopicMessage } from './alerts/enqueue.ts'
import type { PushesMessage } from './pushes/enqueue.ts'

export const notificationSweepRules = [
  sweepRule({
    type: 'AlertTopic',
    shape: z.object({ workspaceId: z.string(), id: z.string() }),
    message: ({ workspaceId, id: topicId }) => {
      const body: TopicMessage = { workspaceId, topicId }
      return { queue: 'notify', body, group: workspaceId }
    },
  }),
  sweepRule({
    type: 'Push',
    // The index always projects the table's key, and the key names the person.
    shape: z.object({ PK: z.string(), id: z.string() }),
    message: ({ PK, id }) => {
      const userId = PK.slice('USER#'.length)
      const body: PushesMessage = { pushes: [{ userId, id }] }
      return { queue: 'notify', body, group: userId }
    },
  }),
]

import * as z from 'zod/mini'
import { flushTopic } from '../../shared/notifications/alerts/flush.ts'
import { TopicMessage, topicWork } from '../../shared/notifications/alerts/work.ts'
import { sendPushes } from '../../shared/notifications/pushes/send.ts'
import { PushesMessage } from '../../shared/notifications/pushes/work.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Turns alerts into notifications, and sends messages to devices',
    ...topicWork.worker,
    batchSize: 10,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:notify', 'queue:drain', 'push'],
  },
  z.union([TopicMessage, PushesMessage]),
  ({ ctx, message }) => ('topicId' in message ? flushTopic(ctx, message) : sendPushes(ctx, message)),
)

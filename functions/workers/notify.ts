import * as z from 'zod/mini'
import { TopicMessage } from '../../shared/notifications/alerts/enqueue.ts'
import { flushTopic } from '../../shared/notifications/alerts/flush.ts'
import { PushesMessage } from '../../shared/notifications/pushes/enqueue.ts'
import { sendPushes } from '../../shared/notifications/pushes/send.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Turns alerts into notifications, and sends messages to devices',
    queues: ['notify'],
    batchSize: 10,
    timeoutSeconds: 45,
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:notify', 'queue:drain', 'push'],
    recursive: true,
  },
  z.union([TopicMessage, PushesMessage]),
  ({ ctx, message }) => ('topicId' in message ? flushTopic(ctx, message) : sendPushes(ctx, message)),
)

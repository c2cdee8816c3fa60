import { PrepareMessage } from '../../shared/posts/messages.ts'
import { preparePosts } from '../../shared/posts/prepare.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Makes posts ready before their time: holds the publisher’s message, uploads media, freshens tokens',
    queues: ['prepare'],
    batchSize: 10,
    timeoutSeconds: 60,
    memoryMb: 1024,
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'media:read',
      'open',
      'platform-secrets',
      'origins',
    ],
    recursive: true,
  },
  PrepareMessage,
  ({ ctx, message }) => preparePosts(ctx, message),
)

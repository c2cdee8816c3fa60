import { definitions } from '../../shared/platforms/definitions.ts'
import { PublishMessage } from '../../shared/posts/dispatch/messages.ts'
import { publishPost } from '../../shared/posts/publishing/publish.ts'
import { timeoutSecondsOf } from '../../shared/resources.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Publishes a post at its time, exactly once as far as the platform can tell',
    queues: definitions.map(({ id }) => `publish-${id}` as const),
    batchSize: 10,
    timeoutSeconds: timeoutSecondsOf.publish,
    // It waits until the post's time, and converts nothing: images are converted while the post is prepared.
    memoryMb: 512,
    needs: [
      'table:read',
      'table:write',
      'queue:prepare',
      'queue:publish',
      'queue:events',
      'media:read',
      'kms:decrypt',
      'platform-secrets',
      'origins',
    ],
    recursive: true,
  },
  PublishMessage,
  ({ ctx, message }) => publishPost(ctx, message),
)

import { definitions } from '../../shared/platforms/definitions.ts'
import { PublishMessage } from '../../shared/posts/dispatch/messages.ts'
import { publishPost } from '../../shared/posts/publishing/publish.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Publishes a post at its time, exactly once as far as the platform can tell',
    queues: definitions.map(({ id }) => `publish-${id}` as const),
    batchSize: 10,
    // Discord takes the bytes in the publishing call itself (pipeline rule 6, shared/README.md).
    batchSizeOf: { discord: 4 },
    timeoutSeconds: 60,
    // One full vCPU, and memory for an image of 100 million pixels.
    memoryMb: 1769,
    needs: [
      'table:read',
      'table:write',
      'queue:publish',
      'queue:events',
      'media:read',
      'media:write',
      'kms:decrypt',
      'platform-secrets',
      'origins',
    ],
    layers: ['sharp'],
    recursive: true,
  },
  PublishMessage,
  ({ ctx, message }) => publishPost(ctx, message),
)

import * as z from 'zod/mini'
import { definitions } from '../../shared/platforms/definitions.ts'
import { PublishMessage, publicationWork } from '../../shared/posts/lifecycle/work.ts'
import { publishFirstComment } from '../../shared/posts/live/comment.ts'
import { editLivePost } from '../../shared/posts/live/edit.ts'
import { removeLivePost } from '../../shared/posts/live/remove.ts'
import { FirstCommentMessage, LiveDeletionMessage, LiveEditMessage } from '../../shared/posts/live-work/work.ts'
import { publishPost } from '../../shared/posts/publishing/publish.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Publishes a post at its time, exactly once as far as the platform can tell',
    ...publicationWork.worker,
    queues: definitions.map(({ id }) => `publish-${id}` as const),
    batchSize: 10,
    // It waits until the post's time, and converts nothing: images are converted while the post is prepared. The
    // files that publishing calls hold take about 100 MB a batch (`publishBatch` of a definition); others are streamed.
    memoryMb: 320,
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
  },
  z.union([LiveDeletionMessage, LiveEditMessage, FirstCommentMessage, PublishMessage]),
  ({ ctx, message }) => {
    if ('liveDeletionId' in message) return removeLivePost(ctx, message)
    if ('liveEditId' in message) return editLivePost(ctx, message)
    if ('firstCommentId' in message) return publishFirstComment(ctx, message)
    return publishPost(ctx, message)
  },
)

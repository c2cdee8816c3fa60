import { ImportMessage, importWork } from '../../shared/media/imports/work.ts'
import { importForPosts } from '../../shared/posts/imports/run.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Fetches files of posts from their addresses, inspects them, and adds them to the library',
    ...importWork.worker,
    batchSize: 1,
    // An image of 50 MB is inspected in memory, and a part of a video is held there.
    memoryMb: 1024,
    needs: [
      'table:read',
      'table:write',
      'count',
      'incoming:stream',
      'incoming:take',
      'media:write',
      'queue:import',
      'queue:preview',
      'queue:prepare',
      'queue:publish',
      'origins',
    ],
  },
  ImportMessage,
  ({ ctx, message }) => importForPosts(ctx, message),
)

import { MediaMessage } from '../../shared/media/job.ts'
import { runMediaJob } from '../../shared/media/remove.ts'
import { copyPicture } from '../../shared/social-accounts/copy-picture.ts'
import { isAccountId } from '../../shared/social-accounts/social-account.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary:
      'Makes previews of images, copies pictures of accounts, and removes the remains of deleted files and aborted uploads',
    queues: ['preview'],
    // Two of the largest images, decoded, do not fit into memory.
    batchSize: 1,
    timeoutSeconds: 60,
    // One full vCPU, and memory for an image of 100 million pixels.
    memoryMb: 1769,
    needs: ['table:read', 'table:write', 'media:read', 'media:write', 'incoming:stream', 'incoming:take', 'origins'],
    layers: ['sharp'],
  },
  MediaMessage,
  ({ ctx, message }) => (isAccountId(message.assetId) ? copyPicture : runMediaJob)(ctx, message),
)

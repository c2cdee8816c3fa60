import { MediaMessage } from '../../shared/media/job.ts'
import { runMediaJob } from '../../shared/media/run-job.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Makes previews of images, and removes what deleted files and broken-off uploads have left',
    queues: ['preview'],
    // Decoded, two of the largest images would not fit.
    batchSize: 1,
    timeoutSeconds: 60,
    // One whole processor, and room for an image of 100 million pixels.
    memoryMb: 1769,
    needs: ['table:read', 'table:write', 'media:read', 'media:write', 'media:purge'],
    layers: ['sharp'],
  },
  MediaMessage,
  ({ ctx, message }) => runMediaJob(ctx, message),
)

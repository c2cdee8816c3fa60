import { AiJobMessage } from '../../shared/ai/jobs/job.ts'
import { runJob } from '../../shared/ai/jobs/run.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Writes and transcribes texts as jobs, and returns the reservations of calls that died',
    queues: ['ai'],
    batchSize: 1,
    // Shorter than the lease in shared/ai/jobs/claim.ts, and than events are withheld (shared/events/log.ts).
    timeoutSeconds: 60,
    // A file of 25 MB is sent as a form, from memory.
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:ai', 'queue:events', 'ai:text', 'ai:speech'],
    recursive: true,
  },
  AiJobMessage,
  ({ ctx, message }) => runJob(ctx, message),
)

import { runJob } from '../../shared/ai/jobs/run.ts'
import { AiJobMessage, jobWork } from '../../shared/ai/jobs/work.ts'
import { worker } from '../../shared/worker.ts'

export const handler = worker(
  {
    summary: 'Writes and transcribes texts as jobs, and returns the reservations of calls that died',
    ...jobWork.worker,
    batchSize: 1,
    // A file of 25 MB is sent as a form, from memory.
    memoryMb: 512,
    needs: ['table:read', 'table:write', 'queue:ai', 'queue:events', 'ai:text', 'ai:speech'],
  },
  AiJobMessage,
  ({ ctx, message }) => runJob(ctx, message),
)

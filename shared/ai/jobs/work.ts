import * as z from 'zod/mini'
import { anyOf, equal } from '../../db/expression.ts'
import { work } from '../../db/work.ts'
import { aiJobs } from './job.ts'

/** The message to run-ai-job. */
export const AiJobMessage = z.object({ workspaceId: z.string(), jobId: z.string() })
export type AiJobMessage = z.infer<typeof AiJobMessage>

/** A job is begun at most three times (run.ts); a call is never made again, only its reservation is returned. */
export const jobWork = work({
  entity: aiJobs,
  queue: 'ai',
  // Shorter than events are withheld (shared/events/log.ts).
  timeoutSeconds: 60,
  open: anyOf(equal('status', 'queued'), equal('status', 'running')),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: jobId }) => {
    const body: AiJobMessage = { workspaceId, jobId }
    return { body, group: workspaceId }
  },
})

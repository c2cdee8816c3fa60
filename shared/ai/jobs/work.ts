import * as z from 'zod/mini'
import { defineLifecycle } from '../../db/lifecycle.ts'
import { work } from '../../db/work.ts'
import { aiJobs } from './job.ts'

/** The message to run-ai-job. */
export const AiJobMessage = z.object({ workspaceId: z.string(), jobId: z.string() })
export type AiJobMessage = z.infer<typeof AiJobMessage>

export const jobLifecycle = defineLifecycle({
  entity: aiJobs,
  attribute: 'status',
  states: { queued: 'queued', running: 'running', completed: 'completed', failed: 'failed' },
  transitions: {
    /** A worker calls the model; a call has no worker, and starts as `running`. */
    begin: { by: 'worker', moves: { queued: ['running'], running: ['running'] }, clears: [] },
    complete: { by: 'worker', moves: { running: ['completed'] }, clears: ['task'] },
    fail: { by: 'worker', moves: { running: ['failed'] }, clears: ['task'] },
    /** The row of a call ends with its request. */
    endCall: { by: 'request', moves: { running: ['deleted'] }, clears: [] },
  },
})

/** A job is started at most three times (run.ts); a call is never repeated, only its reservation is returned. */
export const jobWork = work({
  entity: aiJobs,
  queue: 'ai',
  // Shorter than events are withheld (shared/events/log.ts).
  timeoutSeconds: 60,
  open: jobLifecycle.when('begin'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: jobId }) => {
    const body: AiJobMessage = { workspaceId, jobId }
    return { body, group: workspaceId }
  },
})

import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'
import { dayMs } from '../../time.ts'
import { aiKinds, aiRowsOf } from '../budget/usage.ts'

export const jobKinds = ['generate', 'transcribe'] as const

export const jobStatuses = ['queued', 'running', 'completed', 'failed'] as const

/** Decided: a finished job can be read for seven days. */
export const retentionMs = 7 * dayMs

/**
 * Work that reserves a part of the budget. A call is a request that waits for its response: its row is removed when it ends,
 * and remains only if its function dies. A job runs in a worker, and its row stores the result.
 */
export const AiJob = z.object({
  id: z.string(),
  workspaceId: z.string(),
  /** The workspace whose budget pays, if it is another one. */
  payerId: z.optional(z.string()),
  userId: z.string(),
  /** Undefined for a call. */
  job: z.optional(z.enum(jobKinds)),
  status: z.enum(jobStatuses),
  kind: z.enum(aiKinds),
  month: z.string(),
  reservedMicroUsd: z.int(),
  costMicroUsd: z.optional(z.int()),
  /** What to do, as JSON; removed when it is done. */
  task: z.optional(z.string()),
  /** The result, as JSON. */
  result: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string(), message: z.string() })),
  /** How often a worker has started the job. */
  attempts: z.int(),
  ...workFields,
  createdAt: z.string(),
  finishedAt: z.optional(z.string()),
  /** Set once it has ended. */
  ttl: z.optional(z.number()),
})
export type AiJob = z.infer<typeof AiJob>

export const aiJobs = entity({
  type: 'AiJob',
  shape: AiJob,
  key: ({ workspaceId, id }: Pick<AiJob, 'workspaceId' | 'id'>) => ({ PK: aiRowsOf(workspaceId), SK: `JOB#${id}` }),
})

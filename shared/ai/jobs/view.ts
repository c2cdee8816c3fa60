import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { Variant } from '../requests.ts'
import { type AiJob, aiJobs, jobKinds, jobStatuses } from './job.ts'

/** The result of a job: the variants of `generate`, or the text of `transcribe`. */
const JobResult = z
  .object({
    variants: described(z.optional(z.array(Variant)), 'The texts; present for a job of the kind `generate`.'),
    text: described(z.optional(z.string()), 'The words that were spoken; present for a job of the kind `transcribe`.'),
    language: described(z.optional(z.string()), 'The language of the speech, if the provider names it.'),
  })
  .register(z.globalRegistry, { id: 'AiJobResult', description: 'The result of a job.' })

/** A job as the API shows it. */
export const AiJobView = z
  .object({
    jobId: described(z.string(), 'The ID of the job, `aij_…`.'),
    kind: described(z.enum(jobKinds), '`generate`: writes texts. `transcribe`: turns speech into text.'),
    status: described(z.enum(jobStatuses), '`queued`, `running`, `completed`, or `failed`. The last two are final.'),
    result: described(z.nullable(JobResult), 'Null until the job is completed.'),
    error: described(
      z.nullable(
        z.object({
          code: described(z.string(), 'An error code of this API.'),
          message: described(z.string(), 'What went wrong, for people.'),
        }),
      ),
      'Why the job failed: an error code of this API, and a sentence.',
    ),
    costMicroUsd: described(
      z.nullable(z.int()),
      'Charged, in millionths of a US dollar; null until the job has ended.',
    ),
    createdAt: timestamp('When the job was requested, in UTC.'),
    finishedAt: z.nullable(timestamp('When the job ended; it can be read for seven days after that.')),
  })
  .register(z.globalRegistry, {
    id: 'AiJob',
    description: 'AI work that continues after the request.',
  })
export type AiJobView = z.infer<typeof AiJobView>

export const viewJob = (job: Omit<AiJob, 'job'> & { job?: AiJob['job'] }): AiJobView => ({
  jobId: job.id,
  kind: job.job ?? 'generate',
  status: job.status,
  result: job.result === undefined ? null : z.parse(JobResult, JSON.parse(job.result)),
  error: job.error ?? null,
  costMicroUsd: job.costMicroUsd ?? null,
  createdAt: job.createdAt,
  finishedAt: job.finishedAt ?? null,
})

interface JobRequest {
  workspaceId: string
  params: { id: string }
}

const keyOf = ({ workspaceId, params: { id } }: JobRequest) => ({ workspaceId, id })

/** The row of the job in the path, read together with the authorization. */
export const jobKeys = (request: JobRequest): Key[] => [aiJobs.key(keyOf(request))]

/**
 * The job in the path, until it expires. Decided: only the person who started it can read it, because its result can contain
 * data from their private collections.
 */
export const findJob = (ctx: Context, rows: BatchRows, request: JobRequest & { userId: string }): AiJob => {
  const job = aiJobs.from(rows, keyOf(request))
  const isOver = job?.ttl !== undefined && job.ttl * 1000 <= ctx.clock.now()
  if (job?.job !== undefined && job.userId === request.userId && !isOver) return job
  throw new Refusal('missing', `This workspace has no AI job ${request.params.id}.`, {
    code: 'ai_job_not_found',
    field: 'id',
  })
}

import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Change } from '../../db/expression.ts'
import type { Claimed } from '../../db/lease.ts'
import { deadlineIn } from '../deadline.ts'
import { isRepeatable, ProviderFailure, refusalOf } from '../failure.ts'
import { priceOf } from '../models/model.ts'
import { textSettings } from '../settings.ts'
import { cleanUp, runTranscription } from '../speech/run.ts'
import { generate } from '../text/generate.ts'
import { abandonCall } from './call.ts'
import { type Ending, finishJob } from './finish.ts'
import type { AiJob } from './job.ts'
import { Task } from './task.ts'
import { type AiJobMessage, jobLifecycle, jobWork } from './work.ts'

/** How often a job is started; a worker that dies counts as well. */
const maxAttempts = 3
const retrySeconds = 30

/** The rest of the worker's time is for the table. */
const workWithinMs = 45_000

const missing = new ProviderFailure('rejected', 'no provider is configured')

type GenerateTask = Extract<Task, { type: 'generate' }>

const generateAll = async (ctx: Context, { type: _, ...task }: GenerateTask): Promise<Ending> => {
  const settings = textSettings(ctx)
  if (settings === undefined) throw missing
  const { variants, usage } = await generate({ ctx, settings, deadline: deadlineIn(workWithinMs) }, task)
  return { status: 'completed', result: { variants }, costMicroUsd: priceOf(settings, usage), used: usage }
}

const failed = (failure: ProviderFailure): Ending => {
  const { message, details } = refusalOf(failure)
  return { status: 'failed', error: { code: details.code, message } }
}

/** Whether a job may be retried after this failure: a timeout may also have been a busy provider. */
const mayRetry = (job: AiJob, failure: ProviderFailure) =>
  (isRepeatable(failure) || failure.kind === 'timeout') && job.attempts < maxAttempts

const continueAfter = async (ctx: Context, job: Claimed<AiJob>, seconds: number, change?: Change): Promise<void> => {
  await jobWork.continueAt(ctx, job, ctx.clock.now() + seconds * 1000, change)
}

const endJob = async (ctx: Context, job: Claimed<AiJob>, task: Task, ending: Ending): Promise<void> => {
  await finishJob(ctx, job, ending)
  if (task.type === 'transcribe') await cleanUp(ctx, job, task)
}

/** Runs a job once. A job whose worker died is started again, at most three times; it is charged when it is completed. */
export const runJob = async (ctx: Context, { workspaceId, jobId: id }: AiJobMessage): Promise<void> => {
  const job = await jobWork.claim(ctx, { workspaceId, id }, jobLifecycle.change('begin', { add: { attempts: 1 } }))
  if (job === undefined) return
  // A call whose function died: no one waits for its answer.
  if (job.job === undefined || job.task === undefined) return abandonCall(ctx, job)
  const task = z.parse(Task, JSON.parse(job.task))
  if (job.attempts > maxAttempts) return endJob(ctx, job, task, failed(new ProviderFailure('timeout', 'worker died')))
  try {
    const outcome = await (task.type === 'generate' ? generateAll(ctx, task) : runTranscription(ctx, job, task))
    // Waiting for its provider is not another attempt.
    if ('waitSeconds' in outcome) return await continueAfter(ctx, job, outcome.waitSeconds, { add: { attempts: -1 } })
    await endJob(ctx, job, task, outcome)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    ctx.log.warn('the AI provider failed', { failure: error.message, jobId: job.id, attempt: job.attempts })
    if (!mayRetry(job, error)) return endJob(ctx, job, task, failed(error))
    await continueAfter(ctx, job, error.retryAfterSeconds ?? retrySeconds * job.attempts)
  }
}

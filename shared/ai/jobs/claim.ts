import { maxDelaySeconds, orLeaveToSweeper, send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { allOf, anyOf, equal } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { leaseGraceMs, sweepGraceMs } from '../../db/sweep-at.ts'
import { update } from '../../db/table.ts'
import { type AiJob, type AiJobMessage, aiJobs } from './job.ts'

/** Longer than the worker's timeout: when the lease ends, its holder is dead. */
const leaseMs = 120_000

const isOpen = anyOf(equal('status', 'queued'), equal('status', 'running'))

/** The row is still held by the worker that claimed it. */
export const isHeld = ({ version }: AiJob) => allOf(equal('status', 'running'), equal('version', version))

/** Claims a job or a dead call; undefined if it has ended, or another worker holds it. */
export const claimJob = async (ctx: Context, { workspaceId, jobId: id }: AiJobMessage): Promise<AiJob | undefined> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + leaseMs
  const change = {
    add: { version: 1, attempts: 1 },
    set: { status: 'running', leaseUntilMs, sweepAtMs: leaseUntilMs + leaseGraceMs },
  }
  const row = await ifCurrent(
    update(ctx, aiJobs.key({ workspaceId, id }), change, allOf(isOpen, leaseFree('leaseUntilMs', now))),
  )
  return row && aiJobs.parse(row)
}

/**
 * Releases a job and continues it after some seconds. `isNewAttempt` is false if the work is only waiting for its
 * provider.
 */
export const continueJob = async (
  ctx: Context,
  job: AiJob,
  seconds: number,
  { isNewAttempt }: { isNewAttempt: boolean },
): Promise<void> => {
  const delaySeconds = Math.min(seconds, maxDelaySeconds)
  const change = {
    set: { sweepAtMs: ctx.clock.now() + delaySeconds * 1000 + sweepGraceMs },
    add: isNewAttempt ? {} : { attempts: -1 },
    remove: ['leaseUntilMs'],
  }
  if (!(await wasCurrent(update(ctx, aiJobs.key(job), change, isHeld(job))))) return
  const { workspaceId, id: jobId } = job
  const body: AiJobMessage = { workspaceId, jobId }
  await orLeaveToSweeper(ctx, { queue: 'ai', jobId }, () => send(ctx, 'ai', { body, group: workspaceId, delaySeconds }))
}

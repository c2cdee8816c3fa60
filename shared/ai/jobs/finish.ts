import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import type { Claimed } from '../../db/lease.ts'
import type { Write } from '../../db/table.ts'
import type { JobEventData } from '../../events/catalog.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { chargedOf, chargeWrites, release, type Used } from '../budget/charge.ts'
import { type AiJob, retentionMs } from './job.ts'
import { jobLifecycle, jobWork } from './work.ts'

/** How a job ends. Only a job that is completed is charged. */
export type Ending =
  | { status: 'completed'; result: object; costMicroUsd: number; used: Used }
  | { status: 'failed'; error: { code: string; message: string } }

const endings = { completed: 'complete', failed: 'fail' } as const satisfies Record<Ending['status'], string>

const stored = (job: AiJob, ending: Ending): { set: Record<string, unknown>; money: Write[] } => {
  if (ending.status === 'failed') {
    return { set: { error: ending.error, costMicroUsd: 0 }, money: release(job) }
  }
  const costMicroUsd = chargedOf(job, ending.costMicroUsd)
  const set = { result: JSON.stringify(ending.result), costMicroUsd }
  return { set, money: chargeWrites(job, costMicroUsd, ending.used) }
}

/**
 * Ends a job in one transaction: its result, its charge, and its event. Does nothing if another worker has claimed it
 * in the meantime, so that a job is charged once.
 */
export const finishJob = async (ctx: Context, job: Claimed<AiJob>, ending: Ending): Promise<void> => {
  const now = ctx.clock.now()
  const workspace = await workspaces.get(ctx, { id: job.workspaceId })
  // The job of a deleted workspace is deleted with the other rows of the workspace.
  if (workspace === undefined || job.job === undefined) return
  const { set, money } = stored(job, ending)
  const data: JobEventData = { jobId: job.id, kind: job.job, status: ending.status }
  const ended = { ...set, finishedAt: new Date(now).toISOString(), ttl: Math.ceil((now + retentionMs) / 1000) }
  const written = commitWithEvents(ctx, workspace, () => ({
    writes: [jobWork.endWrite(job, jobLifecycle.change(endings[ending.status], { set: ended })), ...money],
    events: [{ type: 'ai.completed', sequence: 1, previousEventId: undefined, data }],
  }))
  await wasCurrent(written)
}

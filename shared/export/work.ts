import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { ifCurrent, wasCurrent } from '../db/condition-failed.ts'
import { allOf, equal } from '../db/expression.ts'
import type { Claimed } from '../db/lease.ts'
import { defineLifecycle } from '../db/lifecycle.ts'
import { notSwept, sweepAt } from '../db/sweep-at.ts'
import { transact, update, type Write } from '../db/table.ts'
import { work } from '../db/work.ts'
import { enqueueNotice, makeNotice, storeNotice } from '../identity/notice.ts'
import { dayMs } from '../time.ts'
import { type Checkpoint, type Export, exports, runningExportKey } from './export.ts'

/** The message to make-export: one step of an export. */
export const ExportMessage = z.object({ workspaceId: z.string(), exportId: z.string() })
export type ExportMessage = z.infer<typeof ExportMessage>

export const exportLifecycle = defineLifecycle({
  entity: exports,
  attribute: 'status',
  states: { running: 'running', completed: 'completed', failed: 'failed', expired: 'expired' },
  transitions: {
    /** The archive can be downloaded. */
    complete: { by: 'worker', moves: { running: ['completed'] }, clears: ['checkpoint'] },
    /** The archive cannot be made. */
    fail: { by: 'worker', moves: { running: ['failed'] }, clears: ['checkpoint'] },
    /** The archive is older than seven days: it is deleted. */
    expire: { by: 'worker', moves: { completed: ['expired'] }, clears: notSwept },
    /** The parts of an archive that was not completed are deleted. */
    cleanUp: { by: 'worker', moves: { failed: ['failed'] }, clears: notSwept },
  },
})

/** An export builds its archive step by step. */
export const exportWork = work({
  entity: exports,
  queue: 'export',
  timeoutSeconds: 300,
  open: exportLifecycle.when('complete'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: exportId }) => {
    const body: ExportMessage = { workspaceId, exportId }
    return { body, group: workspaceId }
  },
})

/** How long an archive can be downloaded. */
const archiveMs = 7 * dayMs

/** How long an ended export is listed. */
const listedDays = 30

/** Stores how far the archive is; throws LeaseLost if another worker has the export. */
export const saveCheckpoint = (
  ctx: Context,
  claimed: Claimed<Export>,
  checkpoint: Checkpoint,
): Promise<Claimed<Export>> =>
  exportWork.save(ctx, claimed, { set: { checkpoint, progress: checkpoint.progress, crashes: 0 } })

/** Releases an export after a step, and starts the next one. */
export const continueExport = (ctx: Context, claimed: Claimed<Export>): Promise<boolean> =>
  exportWork.continueAt(ctx, claimed, ctx.clock.now(), { set: { crashes: 0 } })

/** Restarts the archive with the next step. */
export const restartExport = (ctx: Context, claimed: Claimed<Export>): Promise<boolean> => {
  const change = { add: { restarts: 1 }, set: { crashes: 0 }, remove: ['checkpoint'] }
  return exportWork.continueAt(ctx, claimed, ctx.clock.now(), change)
}

/** Ends an export. Its next step removes what is no longer needed. */
const end = async (
  ctx: Context,
  claimed: Claimed<Export>,
  name: 'complete' | 'fail',
  { beside, ...set }: Pick<Partial<Export>, 'expiresAt' | 'reason'> & { beside: Write },
): Promise<boolean> => {
  const now = ctx.clock.now()
  const change = exportLifecycle.change(name, { set: { ...set, finishedAt: new Date(now).toISOString() } })
  return wasCurrent(
    transact(ctx, () => [
      exportWork.releaseWrite(claimed, now, now, change),
      { delete: runningExportKey(claimed.workspaceId) },
      beside,
    ]),
  )
}

/** Ends an export whose archive is complete, and emails the person who requested it. */
export const completeExport = async (ctx: Context, claimed: Claimed<Export>): Promise<void> => {
  const expiresAt = new Date(ctx.clock.now() + archiveMs).toISOString()
  const notice = makeNotice(ctx, claimed.requestedBy, 'export-completed', {
    facts: { exportId: claimed.id, expiresAt },
  })
  if (!(await end(ctx, claimed, 'complete', { expiresAt, beside: storeNotice(notice) }))) return
  await enqueueNotice(ctx, notice)
  await exportWork.enqueue(ctx, claimed)
}

export const failExport = async (
  ctx: Context,
  claimed: Claimed<Export>,
  reason: NonNullable<Export['reason']>,
): Promise<void> => {
  const notice = makeNotice(ctx, claimed.requestedBy, 'export-failed', { facts: { exportId: claimed.id, reason } })
  if (!(await end(ctx, claimed, 'fail', { reason, beside: storeNotice(notice) }))) return
  await enqueueNotice(ctx, notice)
  await exportWork.enqueue(ctx, claimed)
}

/** Ends the work on an export that has ended: nothing of it remains on S3. */
export const forgetExport = async (ctx: Context, ended: Export): Promise<void> => {
  const ttl = Math.ceil(ctx.clock.now() / 1000) + listedDays * 86_400
  const name = ended.status === 'completed' ? 'expire' : 'cleanUp'
  const change = exportLifecycle.change(name, { set: { ttl } })
  await ifCurrent(update(ctx, exports.key(ended), change, exportLifecycle.when(name)))
}

/** Sweeps a completed export again when its archive expires; another download link can move that time. */
export const awaitExpiry = async (ctx: Context, { expiresAt, ...ended }: Export): Promise<void> => {
  const change = { set: sweepAt(ended.id, Date.parse(expiresAt ?? '')) }
  const unchanged = allOf(exportLifecycle.when('expire'), equal('expiresAt', expiresAt))
  await ifCurrent(update(ctx, exports.key(ended), change, unchanged))
}

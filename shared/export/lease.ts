import type { Context } from '../context.ts'
import { ConditionFailed, ifCurrent } from '../db/condition-failed.ts'
import { allOf, equal, present } from '../db/expression.ts'
import { leaseFree } from '../db/lease.ts'
import { leaseGraceMs, notSwept, sweepAt, sweepGraceMs } from '../db/sweep-at.ts'
import { transact, update, type Write } from '../db/table.ts'
import { enqueueNotice, makeNotice, storeNotice } from '../identity/notice.ts'
import { dayMs } from '../time.ts'
import { type Checkpoint, type Export, exports, runningExportKey } from './export.ts'
import type { ExportMessage } from './message.ts'

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
export const exportLeaseSeconds = 330
const leaseMs = exportLeaseSeconds * 1000

/** How long an archive can be downloaded. */
const archiveMs = 7 * dayMs

/** How long an ended export is listed. */
const listedDays = 30

/** Another worker has taken the export, or it was deleted with its workspace. */
export class ExportLost extends Error {
  override name = 'ExportLost'
  readonly isDeleted: boolean
  constructor(isDeleted: boolean) {
    super(isDeleted ? 'the export was deleted' : 'another worker has the export')
    this.isDeleted = isDeleted
  }
}

const isHeld = ({ version }: Export) => allOf(equal('status', 'running'), equal('version', version))

/** Leases a running export for one step; undefined if it has ended, or another worker holds it. */
export const claimExport = async (
  ctx: Context,
  { workspaceId, exportId: id }: ExportMessage,
): Promise<Export | undefined> => {
  const now = ctx.clock.now()
  const untilMs = now + leaseMs
  const change = {
    add: { version: 1, crashes: 1 },
    set: { leaseUntilMs: untilMs, ...sweepAt(id, untilMs + leaseGraceMs) },
  }
  const free = allOf(present('PK'), equal('status', 'running'), leaseFree('leaseUntilMs', now))
  const row = await ifCurrent(update(ctx, exports.key({ workspaceId, id }), change, free))
  return row && exports.parse(row)
}

/** Stores how far the archive is; throws ExportLost if another worker has it. */
export const saveCheckpoint = async (ctx: Context, held: Export, checkpoint: Checkpoint): Promise<Export> => {
  const change = { set: { checkpoint, progress: checkpoint.progress, crashes: 0 } }
  try {
    return exports.parse(await update(ctx, exports.key(held), change, isHeld(held)))
  } catch (error) {
    throw error instanceof ConditionFailed ? new ExportLost(error.row === undefined) : error
  }
}

/** Releases an export after a step, so that the next one can begin. */
export const releaseExport = async (ctx: Context, held: Export): Promise<void> => {
  const change = {
    set: { crashes: 0, ...sweepAt(held.id, ctx.clock.now() + sweepGraceMs) },
    remove: ['leaseUntilMs'],
  }
  await ifCurrent(update(ctx, exports.key(held), change, isHeld(held)))
}

/** Begins the archive again with the next step. */
export const restartExport = async (ctx: Context, held: Export): Promise<void> => {
  const change = {
    add: { restarts: 1 },
    set: { crashes: 0, ...sweepAt(held.id, ctx.clock.now() + sweepGraceMs) },
    remove: ['leaseUntilMs', 'checkpoint'],
  }
  await ifCurrent(update(ctx, exports.key(held), change, isHeld(held)))
}

const end = async (ctx: Context, held: Export, set: Partial<Export>, beside: readonly Write[]): Promise<boolean> => {
  const now = ctx.clock.now()
  const finishedAt = new Date(now).toISOString()
  // Swept until what is not needed anymore is removed.
  const change = {
    set: { ...set, finishedAt, ...sweepAt(held.id, now + sweepGraceMs) },
    remove: ['leaseUntilMs', 'checkpoint'],
  }
  const ended = await ifCurrent(
    transact(ctx, () => [
      { update: exports.key(held), change, when: isHeld(held) },
      { delete: runningExportKey(held.workspaceId) },
      ...beside,
    ]).then(() => true),
  )
  return ended === true
}

/** Ends an export whose archive is complete, and writes to the person who requested it. */
export const completeExport = async (ctx: Context, held: Export): Promise<void> => {
  const expiresAt = new Date(ctx.clock.now() + archiveMs).toISOString()
  const notice = makeNotice(ctx, held.requestedBy, 'export-completed', { exportId: held.id, expiresAt })
  if (await end(ctx, held, { status: 'completed', expiresAt }, [storeNotice(notice)])) await enqueueNotice(ctx, notice)
}

export const failExport = async (ctx: Context, held: Export, reason: NonNullable<Export['reason']>): Promise<void> => {
  const notice = makeNotice(ctx, held.requestedBy, 'export-failed', { exportId: held.id, reason })
  if (await end(ctx, held, { status: 'failed', reason }, [storeNotice(notice)])) await enqueueNotice(ctx, notice)
}

/** Ends the work on an export that has ended: nothing of it is left on S3. */
export const forgetExport = async (ctx: Context, ended: Export): Promise<void> => {
  const ttl = Math.ceil(ctx.clock.now() / 1000) + listedDays * 86_400
  const status = ended.status === 'completed' ? 'expired' : ended.status
  const change = { set: { status, ttl }, remove: [...notSwept] }
  await ifCurrent(update(ctx, exports.key(ended), change, allOf(present('PK'), equal('status', ended.status))))
}

/** Sweeps a completed export again when its archive expires; another download link can move that time. */
export const awaitExpiry = async (ctx: Context, { expiresAt, ...ended }: Export): Promise<void> => {
  const change = { set: sweepAt(ended.id, Date.parse(expiresAt ?? '')) }
  const unchanged = allOf(equal('status', 'completed'), equal('expiresAt', expiresAt))
  await ifCurrent(update(ctx, exports.key(ended), change, unchanged))
}

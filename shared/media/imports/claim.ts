import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { leaseGraceMs, notSwept, sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { transact, update, type Write } from '../../db/table.ts'
import { type ImportMessage, imports, type MediaImport } from './import.ts'

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
export const importLeaseSeconds = 330

/** How long an ended import is kept: as long as the record of which posts use a file (media-use.ts). */
const keptSeconds = 30 * 86_400

/** The try is still the newest, and the import was not deleted. */
const isHeld = ({ tries }: MediaImport) => allOf(equal('status', 'pending'), equal('tries', tries))

/** Leases a pending import for one try; undefined if it has ended or waits, or another worker has it. */
export const claimImport = async (
  ctx: Context,
  { workspaceId, assetId: id }: ImportMessage,
): Promise<MediaImport | undefined> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + importLeaseSeconds * 1000
  const change = { add: { tries: 1 }, set: { leaseUntilMs, ...sweepAt(id, leaseUntilMs + leaseGraceMs) } }
  const free = allOf(present('PK'), equal('status', 'pending'), leaseFree('leaseUntilMs', now))
  const row = await ifCurrent(update(ctx, imports.key({ workspaceId, id }), change, free))
  return row && imports.parse(row)
}

/** Releases an import until its next try. `error` says why this one failed. */
export const retryLater = async (
  ctx: Context,
  held: MediaImport,
  waitSeconds: number,
  error: string,
): Promise<void> => {
  const leaseUntilMs = ctx.clock.now() + waitSeconds * 1000
  const change = { set: { error, leaseUntilMs, ...sweepAt(held.id, leaseUntilMs + sweepGraceMs) } }
  await ifCurrent(update(ctx, imports.key(held), change, isHeld(held)))
}

type End = { status: 'ready' } | { status: 'failed'; error: string }

const endOf = (held: MediaImport, end: End, nowMs: number): Write => ({
  update: imports.key(held),
  change: {
    // Swept until the posts that wait for the file know of its end.
    set: { ...end, ...sweepAt(held.id, nowMs + sweepGraceMs) },
    remove: ['leaseUntilMs', ...(end.status === 'ready' ? ['error'] : [])],
  },
  when: isHeld(held),
})

/** The write that ends an import whose file is stored, for the transaction with its asset. */
export const importReady = (held: MediaImport, nowMs: number): Write => endOf(held, { status: 'ready' }, nowMs)

export const failImport = async (ctx: Context, held: MediaImport, error: string): Promise<void> => {
  await ifCurrent(transact(ctx, () => [endOf(held, { status: 'failed', error }, ctx.clock.now())]))
}

/** Deletes an import that no post waits for anymore. */
export const dropImport = async (ctx: Context, held: MediaImport): Promise<void> => {
  await ifCurrent(transact(ctx, () => [{ delete: imports.key(held), when: isHeld(held) }]))
}

/** Ends the work on an import: its posts know of its end. */
export const settleImport = async (ctx: Context, ended: MediaImport): Promise<void> => {
  const ttl = Math.ceil(ctx.clock.now() / 1000) + keptSeconds
  const change = { set: { ttl }, remove: [...notSwept] }
  await ifCurrent(update(ctx, imports.key(ended), change, allOf(present('PK'), equal('status', ended.status))))
}

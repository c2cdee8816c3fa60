import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import type { Claimed } from '../../db/lease.ts'
import { defineLifecycle } from '../../db/lifecycle.ts'
import { notSwept } from '../../db/sweep-at.ts'
import { transact, update, type Write } from '../../db/table.ts'
import { work } from '../../db/work.ts'
import { imports, type MediaImport } from './import.ts'

/** The message to import-media. */
export const ImportMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type ImportMessage = z.infer<typeof ImportMessage>

export const importLifecycle = defineLifecycle({
  entity: imports,
  attribute: 'status',
  states: { pending: 'pending', ready: 'ready', failed: 'failed' },
  transitions: {
    /** The file is stored, and is an asset of the library. */
    complete: { by: 'worker', moves: { pending: ['ready'] }, clears: ['error'] },
    /** The file cannot be fetched, or cannot be used. */
    fail: { by: 'worker', moves: { pending: ['failed'] }, clears: [] },
    /** The posts that need the file have the result of its import. */
    settle: { by: 'worker', moves: { ready: ['ready'], failed: ['failed'] }, clears: notSwept },
    /** No post waits for the file anymore. */
    drop: { by: 'worker', moves: { pending: ['deleted'] }, clears: [] },
  },
})

/** An import fetches its file in one step, and is tried again if that fails. */
export const importWork = work({
  entity: imports,
  queue: 'import',
  timeoutSeconds: 300,
  open: importLifecycle.when('complete'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: assetId }) => {
    const body: ImportMessage = { workspaceId, assetId }
    return { body, group: workspaceId }
  },
})

/** The writes that start imports, for the transaction with the posts that need the files. */
export const beginImports = (
  workspaceId: string,
  planned: readonly { id: string; url: string }[],
  nowMs: number,
): Write[] =>
  planned.map(({ id, url }) =>
    importWork.beginWrite({ id, workspaceId, sourceUrl: url, status: 'pending', tries: 0 }, nowMs),
  )

export const enqueueImports = async (
  ctx: Context,
  workspaceId: string,
  planned: readonly { id: string }[],
): Promise<void> => {
  await Promise.all(planned.map(({ id }) => importWork.enqueue(ctx, { workspaceId, id })))
}

/** How long an ended import is retained: as long as the record of which posts use a file (media-file.ts). */
const retentionSeconds = 30 * 86_400

/** The write that ends an import whose file is stored, for the transaction with its asset. Its posts are updated next. */
export const importReady = (claimed: Claimed<MediaImport>, nowMs: number): Write =>
  importWork.releaseWrite(claimed, nowMs, nowMs, importLifecycle.change('complete', {}))

export const failImport = async (ctx: Context, claimed: Claimed<MediaImport>, error: string): Promise<void> => {
  await importWork.release(ctx, claimed, ctx.clock.now(), importLifecycle.change('fail', { set: { error } }))
}

/** Deletes an import that no post waits for anymore. */
export const dropImport = async (ctx: Context, claimed: Claimed<MediaImport>): Promise<void> => {
  await ifCurrent(transact(ctx, () => [{ delete: imports.key(claimed), when: importWork.ownsLease(claimed) }]))
}

/** Ends the work on an import: its posts have its result. */
export const finishImport = async (ctx: Context, ended: MediaImport): Promise<void> => {
  const ttl = Math.ceil(ctx.clock.now() / 1000) + retentionSeconds
  const change = importLifecycle.change('settle', { set: { ttl } })
  await ifCurrent(update(ctx, imports.key(ended), change, allOf(present('PK'), equal('status', ended.status))))
}

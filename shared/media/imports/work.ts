import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import type { Held } from '../../db/lease.ts'
import { notSwept } from '../../db/sweep-at.ts'
import { transact, update, updateOnly, type Write } from '../../db/table.ts'
import { work } from '../../db/work.ts'
import { imports, type MediaImport } from './import.ts'

/** The message to import-media. */
export const ImportMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type ImportMessage = z.infer<typeof ImportMessage>

/** An import fetches its file in one step, and is tried again if that fails. */
export const importWork = work({
  entity: imports,
  queue: 'import',
  timeoutSeconds: 300,
  open: equal('status', 'pending'),
  ref: z.object({ workspaceId: z.string(), id: z.string() }),
  message: ({ workspaceId, id: assetId }) => {
    const body: ImportMessage = { workspaceId, assetId }
    return { body, group: workspaceId }
  },
})

/** The writes that begin imports, for the transaction with the posts that need the files. */
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

/** How long an ended import is kept: as long as the record of which posts use a file (media-file.ts). */
const keptSeconds = 30 * 86_400

/** The write that ends an import whose file is stored, for the transaction with its asset. Its posts learn of it next. */
export const importReady = (held: Held<MediaImport>, nowMs: number): Write =>
  importWork.releaseWrite(held, nowMs, nowMs, { set: { status: 'ready' }, remove: ['error'] })

export const failImport = async (ctx: Context, held: Held<MediaImport>, error: string): Promise<void> => {
  const nowMs = ctx.clock.now()
  const {
    update: key,
    change,
    when,
  } = importWork.releaseWrite(held, nowMs, nowMs, { set: { status: 'failed', error } })
  await wasCurrent(updateOnly(ctx, key, change, when))
}

/** Deletes an import that no post waits for anymore. */
export const dropImport = async (ctx: Context, held: Held<MediaImport>): Promise<void> => {
  await ifCurrent(transact(ctx, () => [{ delete: imports.key(held), when: importWork.isHeld(held) }]))
}

/** Ends the work on an import: its posts know of its end. */
export const settleImport = async (ctx: Context, ended: MediaImport): Promise<void> => {
  const ttl = Math.ceil(ctx.clock.now() / 1000) + keptSeconds
  const change = { set: { ttl }, remove: [...notSwept] }
  await ifCurrent(update(ctx, imports.key(ended), change, allOf(present('PK'), equal('status', ended.status))))
}

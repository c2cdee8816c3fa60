import type { Context } from '../context.ts'
import { countKeysOf, countsIn, moveCounts } from '../db/counters.ts'
import { asStored } from '../db/expression.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { type BatchRows, batchGet, type Key, transact, type Write } from '../db/table.ts'
import { assertQuota, countQuota } from '../quotas/count.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The rows that count a workspace's files and their bytes, read together with the authorization. */
export const storageKeys = (workspaceId: string): Key[] => countKeysOf(workspaceId, 'MEDIA')

/**
 * The writes that change the counters of a workspace's files by a number of files and bytes. The bytes of a child workspace
 * also count in the storage of the workspace that pays for it.
 */
export const moveStorage = (
  { id, application }: Pick<Workspace, 'id' | 'application'>,
  { files, bytes }: { files: number; bytes: number },
): Write[] => [
  ...moveCounts(id, 'MEDIA', new Map(Object.entries({ all: files, bytes }))),
  ...(application === undefined ? [] : moveShared(application.workspaceId, bytes)),
]

const moveShared = (payerId: string, bytes: number): Write[] =>
  moveCounts(payerId, 'MEDIA', new Map([['childBytes', bytes]]))

/**
 * Returns the bytes of a deleted child workspace. The counters are removed with it, so that a repeat returns nothing; an
 * upload that changes one of them in the meantime fails the try, which is repeated.
 */
export const refundStorage: NonNullable<OwnedRows['refund']> = async (ctx, { workspaceId, payerId }) => {
  const keys = storageKeys(workspaceId)
  const rows = await batchGet(ctx, keys)
  const bytes = countsIn(rows, workspaceId, 'MEDIA')('bytes')
  const remove = keys.map((key) => ({ delete: key, when: asStored('bytes', rows.item(key)?.['bytes']) }))
  if (bytes !== 0) await transact(ctx, () => [...remove, ...moveShared(payerId, -bytes)])
}

/** The total size of the files of a workspace and of its child workspaces in bytes, without previews and converted copies. */
export const storedBytes = (rows: BatchRows, workspaceId: string): number => {
  const sum = countsIn(rows, workspaceId, 'MEDIA')
  return Math.max(0, sum('bytes') + sum('childBytes'))
}

/**
 * Throws 409 if a file of this size does not fit into the workspace's storage, or into the shared storage of the workspace
 * that pays for a child.
 */
export const assertStorage = async (
  ctx: Context,
  workspace: Workspace,
  rows: BatchRows,
  fileSize: number,
): Promise<void> => {
  const { id, payer } = workspace
  assertQuota(ctx, workspace, 'storageBytes', { used: storedBytes(rows, id), requested: fileSize })
  if (payer === undefined) return
  const used = storedBytes(await batchGet(ctx, storageKeys(payer.id)), payer.id)
  assertQuota(ctx, payer, 'storageBytes', { used, requested: fileSize, isShared: true })
}

const mebibyte = 2 ** 20

/**
 * Counts the bytes of an incoming file, at least one MiB. Throws 429 if too many arrived or were announced, for this
 * workspace or for all that share the plan. The workspace's limit is checked first: a child at its limit uses up nothing of
 * the others'.
 */
export const countUpload = async (ctx: Context, workspace: Workspace, fileSize: number): Promise<void> => {
  const units = Math.ceil(fileSize / mebibyte)
  const { id, payer } = workspace
  await countQuota(ctx, workspace, 'uploadMebibytes', { subject: id, units })
  if (payer) await countQuota(ctx, payer, 'uploadMebibytes', { subject: payer.id, units, isShared: true })
}

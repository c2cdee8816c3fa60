import type { Context } from '../context.ts'
import { countKeysOf, countsIn } from '../db/counters.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { assertQuota, countQuota } from '../quotas/count.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The rows that count a workspace's files and their bytes, read together with the authorization. */
export const storageKeys = (workspaceId: string): Key[] => countKeysOf(workspaceId, 'MEDIA')

/** The total size of a workspace's files in bytes, without previews and converted copies. */
export const storedBytes = (rows: BatchRows, workspaceId: string): number =>
  Math.max(0, countsIn(rows, workspaceId, 'MEDIA')('bytes'))

/** Throws 409 if a file of this size does not fit into the workspace's storage. */
export const assertStorage = (ctx: Context, workspace: Workspace, rows: BatchRows, fileSize: number): void =>
  assertQuota(ctx, workspace, 'storageBytes', { used: storedBytes(rows, workspace.id), requested: fileSize })

const mebibyte = 2 ** 20

/** Counts the bytes of a file that comes, at least one MiB. Throws 429 if too many came or were announced. */
export const countUpload = async (ctx: Context, workspace: Workspace, fileSize: number): Promise<void> => {
  const units = Math.ceil(fileSize / mebibyte)
  await countQuota(ctx, workspace, 'uploadMebibytes', { subject: workspace.id, units })
}

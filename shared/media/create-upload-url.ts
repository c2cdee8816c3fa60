import * as z from 'zod/mini'
import { checksumHeader, presignUpload } from '../aws/presign.ts'
import type { Context } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { ulid } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { incomingKeyOf, storageKeyOf } from './reference.ts'
import type { CreateUploadUrlRequest } from './requests.ts'
import { assertStorage, countUpload } from './storage.ts'
import { extensionOf } from './types.ts'

const expiresSeconds = 900

/** Where to upload a file, and its key once the upload is complete. */
export const UploadUrl = z
  .object({
    uploadUrl: described(z.string(), 'The presigned URL. It accepts one file of exactly the declared type and length.'),
    storageKey: described(z.string(), 'The key to complete the upload with.'),
    expiresAt: timestamp('When the URL expires, in UTC: 15 minutes after the response.'),
    method: described(z.literal('PUT'), 'How to send the file to `uploadUrl`.'),
    headers: described(z.record(z.string(), z.string()), 'The headers to send, unchanged.'),
  })
  .register(z.globalRegistry, {
    id: 'UploadUrl',
    description: 'Where to upload a file, and how.',
  })

/**
 * Returns a URL for one file of exactly this type and length. Writes only its size, to the quota of announced uploads:
 * at least one MiB. Throws 409 if the file does not fit into the storage, and 429 if too much was announced.
 */
export const createUploadUrl = async (
  ctx: Context,
  workspace: Workspace,
  { mimeType, fileSize, sha256 }: z.infer<typeof CreateUploadUrlRequest>,
  rows: BatchRows,
): Promise<z.infer<typeof UploadUrl>> => {
  const { id: workspaceId } = workspace
  await assertStorage(ctx, workspace, rows, fileSize)
  await countUpload(ctx, workspace, fileSize)
  const now = ctx.clock.now()
  const storageKey = storageKeyOf(workspaceId, `med_${ulid(now)}`, extensionOf(mimeType))
  const checksum = sha256 && Buffer.from(sha256, 'hex').toString('base64')
  const bounds = { mimeType, fileSize, checksum, expiresSeconds }
  const uploadUrl = await presignUpload(ctx, { storageKey: incomingKeyOf(storageKey), ...bounds })
  // A signature has a precision of one second.
  const expiresAtMs = (Math.floor(now / 1000) + expiresSeconds) * 1000
  const expiresAt = new Date(expiresAtMs).toISOString()
  const headers = { 'Content-Type': mimeType, ...(checksum && { [checksumHeader]: checksum }) }
  return { uploadUrl, storageKey, expiresAt, method: 'PUT', headers }
}

import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { assistantActor } from '../audit/actor.ts'
import type { Piece } from '../aws/multipart.ts'
import { putLibraryFile } from '../aws/put-file.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { ulid } from '../ids.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Asset, type AssetView, viewAsset } from './asset.ts'
import { assetCounts, assetWrites, requestPreview } from './asset-writes.ts'
import type { CreateMediaRequest } from './create-request.ts'
import { invalidFileCodes } from './inspect/invalid-file.ts'
import { openSource } from './inspect/source.ts'
import { acceptedTypeOf, inspectFile } from './inspect.ts'
import { createJob } from './job.ts'
import { storageKeyOf } from './reference.ts'
import { assertStorage, countUpload } from './storage.ts'
import { extensionOf, originalFilenameOf } from './types.ts'

/** The error codes of adding a file by its bytes, in addition to the quotas. */
export const inlineErrors = ['media_type', 'media_size', ...invalidFileCodes] as const

/** The field at fault: the checks of a file name that of an upload. */
const asContent = (error: unknown): unknown => {
  if (error instanceof Refusal && error.details.field === 'storageKey') error.details.field = 'content'
  return error
}

/** A file in memory, as stored. */
const joined = (bytes: Buffer, pieces: readonly Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => ('from' in piece ? bytes.subarray(piece.from, piece.to) : piece)))

/** Checks a file in memory as an upload is checked, before anything is stored. */
const inspectContent = async (ctx: Context, workspace: Workspace, bytes: Buffer, rows: BatchRows) => {
  const source = await openSource(bytes.length, async (from, to) => bytes.subarray(from, to))
  const mimeType = await acceptedTypeOf(source)
  await assertStorage(ctx, workspace, rows, bytes.length)
  await countUpload(ctx, workspace, bytes.length)
  const { info, pieces } = await inspectFile(source, mimeType)
  return { mimeType, info, clean: joined(bytes, pieces) }
}

/**
 * Adds a file that was sent in the request to the library. Its job exists before the object: if the request ends between the
 * two writes, the sweeper removes the object.
 */
export const createMedia = async (
  ctx: Context,
  workspace: Workspace,
  { content, filename, altText }: CreateMediaRequest,
  rows: BatchRows,
): Promise<z.infer<typeof AssetView>> => {
  const { id: workspaceId } = workspace
  const sent = Buffer.from(content, 'base64')
  const { mimeType, info, clean } = await inspectContent(ctx, workspace, sent, rows).catch((error: unknown) => {
    throw asContent(error)
  })
  const now = ctx.clock.now()
  const id = `med_${ulid(now)}`
  const storageKey = storageKeyOf(workspaceId, id, extensionOf(mimeType))
  const originalFilename = originalFilenameOf({ originalFilename: filename, mimeType })
  const sha256 = createHash('sha256').update(sent).digest('hex')
  const file = { storageKey, originalFilename, mimeType, fileSize: clean.length, isClean: true, sha256 }
  const asset: Asset = {
    id,
    workspaceId,
    ...file,
    ...info,
    altText: altText ?? null,
    createdAt: new Date(now).toISOString(),
  }
  await createJob(ctx, asset)
  await putLibraryFile(ctx, storageKey, clean, mimeType)
  const view = viewAsset(asset, ctx.env('MEDIA_URL'))
  await commit(ctx, workspace, {
    writes: assetWrites(asset),
    counts: () => assetCounts(workspace, asset),
    audit: { by: assistantActor(ctx), action: 'media.created', target: { type: 'media', id } },
    response: { data: view },
  })
  await requestPreview(ctx, asset)
  return view
}

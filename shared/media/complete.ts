import type * as z from 'zod/mini'
import { removeObject } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { type BatchRows, type Key, TransactionFailed, transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { idempotencyWrites } from '../http/idempotency-writes.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { acceptUpload } from './accept-upload.ts'
import { type Asset, type AssetView, assets, viewAsset } from './asset.ts'
import { assetCounts, assetWrites, requestPreview } from './asset-writes.ts'
import { invalidFileCodes } from './inspect/invalid-file.ts'
import { deletionInProgress } from './job.ts'
import { assetIdOf, incomingKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { assertStorage, storageKeys } from './storage.ts'
import { kindOf, type MediaType, originalFilenameOf } from './types.ts'

/** The rows that a completion reads: its asset, which may already exist, and the storage counters. */
export const uploadKeys = (workspaceId: string, mediaUrl: string, { storageKey }: CompleteUploadRequest): Key[] => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  return id === undefined ? [] : [assets.key({ workspaceId, id }), ...storageKeys(workspaceId)]
}

/** The error codes of completing an upload, in addition to the storage quota. */
export const uploadErrors = [
  'media_not_found',
  'file_not_uploaded',
  'media_type',
  'media_size',
  ...invalidFileCodes,
  'upload_changed',
  'media_deletion_in_progress',
] as const

const assertOwnKey = (workspaceId: string, mediaUrl: string, { storageKey }: CompleteUploadRequest) => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  if (id === undefined || !storageKey.startsWith('media/')) {
    throw new Refusal('missing', `This workspace has no upload ${storageKey}.`, {
      code: 'media_not_found',
      field: 'storageKey',
    })
  }
  return id
}

/** A duration below 1000 is in seconds, otherwise in milliseconds (test/specification). */
const toMs = (duration: number) => Math.round(duration < 1000 ? duration * 1000 : duration)

/** Decided: a declared duration is used only if the video does not contain one. */
const declaredDurationOf = ({ duration }: CompleteUploadRequest, mimeType: MediaType) =>
  kindOf(mimeType) !== 'video' || duration === undefined ? {} : { durationMs: toMs(duration) }

const makeAsset = async (ctx: Context, workspaceId: string, id: string, request: CompleteUploadRequest) => {
  const { info, ...stored } = await acceptUpload(ctx, { workspaceId, id }, request)
  const { altText = null } = request
  const { mimeType } = stored
  const originalFilename = originalFilenameOf({ ...request, mimeType })
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const measured = { ...declaredDurationOf(request, mimeType), ...info }
  return { id, workspaceId, originalFilename, ...stored, ...measured, altText, createdAt }
}

/** Best effort: the bucket expires incoming files after a day. */
const removeIncoming = async (ctx: Context, assetId: string, { storageKey }: CompleteUploadRequest): Promise<void> => {
  await removeObject(ctx, incomingKeyOf(storageKey)).catch((error: unknown) =>
    ctx.log.warn('upload left to the lifecycle rule of the bucket', { assetId, reason: String(error) }),
  )
}

/** The asset of a concurrent completion; throws the error if there is none. */
const concurrentAssetOrThrow = async (
  ctx: Context,
  key: Pick<Asset, 'workspaceId' | 'id'>,
  error: unknown,
): Promise<Asset> => {
  if (!(error instanceof Refusal || error instanceof TransactionFailed)) throw error
  const winner = await assets.get(ctx, key)
  if (winner) return winner
  throw conditionFailed(error, 'job') ? deletionInProgress() : error
}

/**
 * Adds an uploaded file to the gallery: row, counters, and idempotency record in one transaction. Repeats return the
 * same asset.
 */
export const completeUpload = async (
  ctx: Context,
  workspace: Workspace,
  request: CompleteUploadRequest,
  { rows, beside = [] }: { rows: BatchRows; beside?: readonly Write[] | undefined },
): Promise<z.infer<typeof AssetView>> => {
  const { id: workspaceId } = workspace
  const mediaUrl = ctx.env('MEDIA_URL')
  const id = assertOwnKey(workspaceId, mediaUrl, request)
  const known = assets.from(rows, { workspaceId, id })
  if (known) return viewAsset(known, mediaUrl)
  await assertStorage(ctx, workspace, rows, request.fileSize)
  try {
    const asset: Asset = await makeAsset(ctx, workspaceId, id, request)
    const view = viewAsset(asset, mediaUrl)
    await transact(ctx, () => [
      ...assetWrites(asset),
      ...beside,
      ...assetCounts(workspace, asset),
      ...idempotencyWrites(ctx, { data: view }),
    ])
    await Promise.all([removeIncoming(ctx, id, request), requestPreview(ctx, asset)])
    return view
  } catch (error) {
    return viewAsset(await concurrentAssetOrThrow(ctx, { workspaceId, id }, error), mediaUrl)
  }
}

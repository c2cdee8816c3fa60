import type * as z from 'zod/mini'
import { removeObject } from '../aws/bucket.ts'
import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { moveCounts } from '../db/counters.ts'
import { absent } from '../db/expression.ts'
import { isLost } from '../db/lost.ts'
import { type Found, type Key, TransactionFailed, transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Once } from '../http/once.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { takeUpload } from './arrive.ts'
import { type Asset, type AssetView, assets, viewAsset } from './asset.ts'
import { flawCodes } from './inspect/flaw.ts'
import { isKept, jobs, type MediaMessage, stillRemoved } from './job.ts'
import { assetIdOf, incomingKeyOf, storageKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { assertStorage, storageKeys } from './storage.ts'
import { extensionOf, isImage, type MediaType } from './types.ts'

/** The row a completion would make, for the read that also authorizes: it may be there already; and what is stored. */
export const uploadKeys = (workspaceId: string, mediaUrl: string, { storageKey }: CompleteUploadRequest): Key[] => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  return id === undefined ? [] : [assets.key({ workspaceId, id }), ...storageKeys(workspaceId)]
}

/** What completing an upload throws, beside the quota of storage. */
export const uploadErrors = [
  'media_not_found',
  'file_not_uploaded',
  'media_type',
  'media_size',
  ...flawCodes,
  'upload_changed',
  'media_deletion_in_progress',
] as const

const demandOwnKey = (workspaceId: string, mediaUrl: string, { storageKey, mimeType }: CompleteUploadRequest) => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  if (id === undefined || !storageKey.startsWith('media/')) {
    throw new Refusal('missing', `This workspace has no upload ${storageKey}.`, {
      code: 'media_not_found',
      field: 'storageKey',
    })
  }
  if (storageKey !== storageKeyOf(workspaceId, id, extensionOf(mimeType))) {
    const text = `"mimeType" is ${mimeType}, but the upload was created for another type. Send the same type.`
    throw new Refusal('invalid', text, { code: 'media_type', field: 'mimeType' })
  }
  return id
}

/** Spec, Media: a duration below 1000 is in seconds. */
const toMs = (duration: number) => Math.round(duration < 1000 ? duration * 1000 : duration)

/** Decided: what was measured wins; what is said counts only where a film does not tell how long it lasts. */
const saidOf = ({ mimeType, duration }: CompleteUploadRequest) =>
  isImage(mimeType) || duration === undefined ? {} : { durationMs: toMs(duration) }

const makeAsset = async (ctx: Context, workspaceId: string, id: string, request: CompleteUploadRequest) => {
  const facts = await takeUpload(ctx, { workspaceId, id }, request)
  const { storageKey, originalFilename, mimeType, fileSize, altText = null } = request
  const createdAt = new Date(ctx.clock.now()).toISOString()
  const file = { storageKey, originalFilename, mimeType, fileSize }
  return { id, workspaceId, ...file, ...saidOf(request), ...facts, altText, createdAt }
}

/** A video is done with; an image has its preview to come. Neither may be on its way out. */
const endArrival = (asset: Asset, type: MediaType): Write =>
  isImage(type) ? { check: jobs.key(asset), when: isKept } : { delete: jobs.key(asset), when: isKept }

const jobPlace = 1

/** What can wait: the sweeper asks for a lost preview, and the bucket drops what arrived after a day. */
const tidy = async (ctx: Context, { workspaceId, id, storageKey }: Asset, type: MediaType): Promise<void> => {
  const body: MediaMessage = { workspaceId, assetId: id }
  await Promise.all([
    removeObject(ctx, incomingKeyOf(storageKey)).catch((error: unknown) =>
      ctx.log.warn('upload left to the lifecycle rule of the bucket', { assetId: id, reason: String(error) }),
    ),
    isImage(type) ? enqueueOrSweep(ctx, 'preview', { body, group: workspaceId }) : undefined,
  ])
}

/** The asset that another completion has made meanwhile; where there is none, what went wrong counts. */
const winnerOrThrow = async (ctx: Context, key: Pick<Asset, 'workspaceId' | 'id'>, error: unknown): Promise<Asset> => {
  if (!(error instanceof Refusal || error instanceof TransactionFailed)) throw error
  const winner = await assets.get(ctx, key)
  if (winner) return winner
  throw isLost(error, jobPlace) ? stillRemoved() : error
}

/** Takes an uploaded file into the gallery: row, count and remembered answer in ONE transaction. Again, it is the same. */
export const completeUpload = async (
  ctx: Context,
  workspace: Workspace,
  request: CompleteUploadRequest,
  found: Found,
  once: Once,
): Promise<z.infer<typeof AssetView>> => {
  const { id: workspaceId } = workspace
  const mediaUrl = ctx.env('MEDIA_URL')
  const id = demandOwnKey(workspaceId, mediaUrl, request)
  const known = assets.from(found, { workspaceId, id })
  if (known) return viewAsset(known, mediaUrl)
  assertStorage(ctx, workspace, found, request.fileSize)
  try {
    const asset: Asset = await makeAsset(ctx, workspaceId, id, request)
    const view = viewAsset(asset, mediaUrl)
    await transact(ctx, () => [
      { put: assets.item(asset), when: absent('PK') },
      endArrival(asset, request.mimeType),
      ...moveCounts(
        workspaceId,
        'MEDIA',
        new Map([
          ['all', 1],
          ['bytes', asset.fileSize],
        ]),
      ),
      ...once(view),
    ])
    await tidy(ctx, asset, request.mimeType)
    return view
  } catch (error) {
    return viewAsset(await winnerOrThrow(ctx, { workspaceId, id }, error), mediaUrl)
  }
}

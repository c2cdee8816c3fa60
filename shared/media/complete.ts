import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { moveCounts } from '../db/counters.ts'
import { absent } from '../db/expression.ts'
import { type Found, type Key, TransactionFailed, transact } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import type { Once } from '../http/once.ts'
import { type Asset, type AssetView, assets, viewAsset } from './asset.ts'
import { inspectUpload } from './inspect.ts'
import { assetIdOf, storageKeyOf } from './reference.ts'
import type { CompleteUploadRequest } from './requests.ts'
import { extensionOf, isImage } from './types.ts'

/** The row a completion would make, for the read that also authorizes: it may be there already. */
export const uploadKeys = (workspaceId: string, mediaUrl: string, { storageKey }: CompleteUploadRequest): Key[] => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  return id === undefined ? [] : [assets.key({ workspaceId, id })]
}

const demandOwnKey = (workspaceId: string, mediaUrl: string, { storageKey, mimeType }: CompleteUploadRequest) => {
  const id = assetIdOf(storageKey, workspaceId, mediaUrl)
  if (id === undefined || !storageKey.startsWith('media/')) {
    throw new Refusal('missing', `No upload ${storageKey} in this workspace.`, {
      code: 'media_missing',
      field: 'storageKey',
    })
  }
  if (storageKey !== storageKeyOf(workspaceId, id, extensionOf(mimeType))) {
    const text = `"mimeType" says ${mimeType}, but the upload was opened for another type: send the same one.`
    throw new Refusal('invalid', text, { code: 'media_type', field: 'mimeType' })
  }
  return id
}

/** Spec, Media: a duration below 1000 is in seconds. */
const toMs = (duration: number) => Math.round(duration < 1000 ? duration * 1000 : duration)

const sentFacts = ({ width, height, duration }: CompleteUploadRequest) => ({
  width,
  height,
  durationMs: duration === undefined ? undefined : toMs(duration),
})

const makeAsset = async (ctx: Context, workspaceId: string, id: string, request: CompleteUploadRequest) => {
  const measured = await inspectUpload(ctx, request)
  const { storageKey, originalFilename, mimeType, fileSize, altText = null } = request
  const facts = isImage(mimeType) ? measured : sentFacts(request)
  const createdAt = new Date(ctx.clock.now()).toISOString()
  return { id, workspaceId, storageKey, originalFilename, mimeType, fileSize, ...facts, altText, createdAt }
}

/** Takes an uploaded file into the gallery: row, count and remembered answer in ONE transaction. Again, it is the same. */
export const completeUpload = async (
  ctx: Context,
  workspaceId: string,
  request: CompleteUploadRequest,
  found: Found,
  once: Once,
): Promise<z.infer<typeof AssetView>> => {
  const mediaUrl = ctx.env('MEDIA_URL')
  const id = demandOwnKey(workspaceId, mediaUrl, request)
  const known = assets.from(found, { workspaceId, id })
  if (known) return viewAsset(known, mediaUrl)
  const asset: Asset = await makeAsset(ctx, workspaceId, id, request)
  const view = viewAsset(asset, mediaUrl)
  try {
    await transact(ctx, () => [
      { put: assets.item(asset), when: absent('PK') },
      ...moveCounts(workspaceId, 'MEDIA', new Map([['all', 1]])),
      ...once(view),
    ])
  } catch (error) {
    const winner = error instanceof TransactionFailed ? await assets.get(ctx, { workspaceId, id }) : undefined
    if (winner) return viewAsset(winner, mediaUrl)
    throw error
  }
  return view
}

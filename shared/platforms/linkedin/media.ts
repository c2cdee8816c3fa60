import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { assertUploadAddress, fileRange } from '../files.ts'
import { sendRequest, unclearResponse } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { askLinkedIn, callLinkedIn } from './api.ts'
import { definition } from './definition.ts'
import { classifyLinkedInError } from './errors.ts'

const uploadHosts = ['.linkedin.com']

/** A preparation has a minute, and no upload starts after 25 s (`prepare`). */
const uploadMs = 30_000

const OpenedImage = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) })
const OpenedDocument = z.object({ value: z.object({ uploadUrl: z.string(), document: z.string() }) })

const initializeUpload = async <T>(
  { ctx, account }: PlatformCall,
  kind: 'images' | 'documents',
  reply: z.ZodMiniType<{ value: T }>,
): Promise<T> => {
  const { value } = await askLinkedIn(ctx, {
    token: tokenOf(account),
    path: `/rest/${kind}`,
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: account.externalId } },
    reply,
  })
  return value
}

/** Sends a file in one piece to the address that LinkedIn named. */
const sendWhole = async ({ ctx, account }: PlatformCall, file: MediaFile, uploadUrl: string): Promise<void> => {
  await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/dms-uploads',
    address: assertUploadAddress(ctx, definition, uploadUrl, uploadHosts),
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    body: fileRange(ctx, file, 0, file.fileSize - 1),
    totalMs: uploadMs,
    classifyError: classifyLinkedInError,
  })
}

/** Uploads an image; returns its URN. */
export const uploadImage = async (call: PlatformCall, file: MediaFile): Promise<string> => {
  const { image, uploadUrl } = await initializeUpload(call, 'images', OpenedImage)
  await sendWhole(call, file, uploadUrl)
  return image
}

/** Uploads a document; returns its URN. */
export const uploadDocument = async (call: PlatformCall, file: MediaFile): Promise<string> => {
  const { document, uploadUrl } = await initializeUpload(call, 'documents', OpenedDocument)
  await sendWhole(call, file, uploadUrl)
  return document
}

/** A video upload: the upload addresses of its parts, and the ETags of those that have arrived. */
export const VideoUpload = z.object({
  urn: z.string(),
  uploadToken: z.string(),
  storageKey: z.string(),
  expiresAtMs: z.number(),
  parts: z.array(z.object({ url: z.string(), from: z.int(), to: z.int() })),
  etags: z.array(z.string()),
})
export type VideoUpload = z.infer<typeof VideoUpload>

const OpenedVideo = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.optional(z.string()),
    uploadUrlsExpireAt: z.number(),
    uploadInstructions: z.array(z.object({ uploadUrl: z.string(), firstByte: z.int(), lastByte: z.int() })),
  }),
})

export const openVideo = async ({ ctx, account }: PlatformCall, file: MediaFile): Promise<VideoUpload> => {
  const initializeUploadRequest = {
    owner: account.externalId,
    fileSizeBytes: file.fileSize,
    uploadCaptions: false,
    uploadThumbnail: false,
  }
  const { value } = await askLinkedIn(ctx, {
    token: tokenOf(account),
    path: '/rest/videos',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest },
    reply: OpenedVideo,
  })
  return {
    urn: value.video,
    uploadToken: value.uploadToken ?? '',
    storageKey: file.storageKey,
    expiresAtMs: value.uploadUrlsExpireAt,
    parts: value.uploadInstructions.map(({ uploadUrl, firstByte, lastByte }) => ({
      url: uploadUrl,
      from: firstByte,
      to: lastByte,
    })),
    etags: [],
  }
}

const sendPart = async (
  ctx: PlatformCall['ctx'],
  storageKey: string,
  { url, from, to }: VideoUpload['parts'][number],
) => {
  const { headers, status } = await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/dms-uploads',
    address: assertUploadAddress(ctx, definition, url, uploadHosts),
    body: fileRange(ctx, { storageKey, mimeType: 'application/octet-stream' }, from, to),
    classifyError: classifyLinkedInError,
  })
  const { etag } = headers
  if (etag === undefined) throw unclearResponse({ platform: definition }, 'no ETag', status)
  return etag
}

/** Sends the missing parts until a moment; returns the progress of the upload. */
export const sendParts = async ({ ctx }: PlatformCall, upload: VideoUpload, untilMs: number): Promise<VideoUpload> => {
  const etags = [...upload.etags]
  for (const part of upload.parts.slice(etags.length)) {
    if (ctx.clock.now() >= untilMs) break
    etags.push(await sendPart(ctx, upload.storageKey, part))
  }
  return { ...upload, etags }
}

/** Finalizes an upload whose parts are all sent. */
export const finishVideo = async ({ ctx, account }: PlatformCall, { urn, uploadToken, etags }: VideoUpload) => {
  const finalizeUploadRequest = { video: urn, uploadToken, uploadedPartIds: etags }
  const query = { action: 'finalizeUpload' }
  await callLinkedIn(ctx, { token: tokenOf(account), path: '/rest/videos', query, json: { finalizeUploadRequest } })
}

const Status = z.object({ status: z.string(), processingFailureReason: z.optional(z.string()) })

/** `hidden`: members may not query their images, and perhaps not their videos (LinkedIn, Images API and Videos API). */
type MediaStatus = 'ready' | 'processing' | 'hidden'

/** The collections of LinkedIn's files. */
export type MediaCollection = 'images' | 'videos' | 'documents'

/** LinkedIn's progress with a file. A file that it cannot use is rejected. */
export const readMediaStatus = async (
  { ctx, account }: PlatformCall,
  kind: MediaCollection,
  urn: string,
): Promise<MediaStatus> => {
  const request = { token: tokenOf(account), path: `/rest/${kind}/{urn}`, params: { urn }, reply: Status }
  const file = await askLinkedIn(ctx, request).catch((error: unknown) => {
    if (error instanceof PlatformError && error.info.httpStatus === 403) return undefined
    throw error
  })
  if (file === undefined) return 'hidden'
  if (file.status === 'PROCESSING_FAILED') {
    const why = file.processingFailureReason ?? 'no reason given'
    throw new PlatformError('invalid', `LinkedIn could not process the media: ${why}.`, { code: file.status })
  }
  return file.status === 'AVAILABLE' ? 'ready' : 'processing'
}

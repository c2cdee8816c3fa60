import * as z from 'zod/mini'
import { streamRange } from '../../aws/bucket.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, PreparedRef } from '../adapter.ts'
import { assertUploadAddress, processingWaitSeconds } from '../files.ts'
import { type ErrorResponse, sendRequest } from '../http.ts'
import { formWithFile } from '../multipart.ts'
import { PlatformError } from '../platform-error.ts'
import { callPinterest } from './api.ts'
import { definition } from './definition.ts'

/** Where the bytes of a video are sent, and the form fields before them. */
const Target = z.object({ upload_url: z.string(), upload_parameters: z.record(z.string(), z.string()) })
type Target = z.infer<typeof Target>
const Registered = z.extend(Target, { media_id: z.string() })

/** A video that Pinterest knows. The target is retained while it is unknown whether the bytes arrived. */
const Progress = z.object({ mediaId: z.string(), sinceMs: z.number(), target: z.optional(Target) })
type Progress = z.infer<typeof Progress>

const hosts = ['.amazonaws.com', '.pinterest.com']
/** A preparation has a minute. */
const uploadMs = 45_000
const timeoutMs = 30 * minuteMs

/** Amazon responds in XML: only the status counts. An expired form is replaced by another one. */
const classifyUploadError = ({ status }: ErrorResponse) =>
  new PlatformError('transient', 'Pinterest did not accept the upload.', { httpStatus: status, preparedGone: true })

/**
 * Sends the file in the order that Amazon S3 requires; false if no clear response arrives, and only the status shows what
 * arrived.
 */
const send = async ({ ctx }: PlatformCall, file: MediaFile, target: Target): Promise<boolean> => {
  const address = assertUploadAddress(ctx, definition, target.upload_url, hosts)
  const fields = Object.entries(target.upload_parameters).map(([name, value]) => ({ name, value }))
  const { mimeType, fileSize: size, storageKey } = file
  const read = () => streamRange(ctx, storageKey, 0, size - 1)
  try {
    await sendRequest(ctx, {
      platform: definition,
      method: 'POST',
      base: new URL(address).origin,
      path: '/upload',
      address,
      body: formWithFile(fields, { name: filenameOf({ originalFilename: 'video', mimeType }), mimeType, size, read }),
      totalMs: uploadMs,
      classifyError: classifyUploadError,
    })
    return true
  } catch (error) {
    if (!(error instanceof PlatformError) || error.info.preparedGone) throw error
    return false
  }
}

const begin = async (call: PlatformCall, file: MediaFile): Promise<Progress> => {
  const request = { path: '/media', body: { json: { media_type: 'video' } }, reply: Registered }
  const { media_id: mediaId, ...target } = await callPinterest(call.ctx, call.account, request)
  const isSent = await send(call, file, target)
  return { mediaId, sinceMs: call.ctx.clock.now(), ...(isSent ? {} : { target }) }
}

const readStatus = async ({ ctx, account }: PlatformCall, media: string) => {
  const reply = z.object({ status: z.optional(z.string()) })
  return (await callPinterest(ctx, account, { path: '/media/{media}', params: { media }, reply })).status
}

/** Uploads a video once and waits until Pinterest has processed it, a step at each call. */
export const prepareVideo = async (
  call: PlatformCall,
  file: MediaFile,
  resume: PreparedRef | undefined,
): Promise<{ mediaId: string } | { waitSeconds: number; resume: Progress }> => {
  if (resume === undefined) return { waitSeconds: processingWaitSeconds(0), resume: await begin(call, file) }
  const { mediaId, sinceMs, target } = z.parse(Progress, resume)
  const status = await readStatus(call, mediaId)
  if (status === 'succeeded') return { mediaId }
  if (status === 'failed') throw new PlatformError('invalid', 'Pinterest could not process the video.')
  const waitedMs = call.ctx.clock.now() - sinceMs
  if (waitedMs > timeoutMs) throw new PlatformError('transient', 'Pinterest took too long to process the video.')
  const isMissing = target !== undefined && status === 'registered' && !(await send(call, file, target))
  const next = { mediaId, sinceMs, ...(isMissing ? { target } : {}) }
  return { waitSeconds: processingWaitSeconds(waitedMs), resume: next }
}

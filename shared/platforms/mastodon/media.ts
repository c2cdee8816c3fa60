import * as z from 'zod/mini'
import { streamRange } from '../../aws/bucket.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import { codePoints } from '../../text/counting.ts'
import { cutText } from '../../text/cut.ts'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, PreparedRef } from '../adapter.ts'
import { processingWaitSeconds } from '../files.ts'
import { formWithFile } from '../multipart.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import { callMastodon } from './api.ts'
import { definition } from './definition.ts'
import { mediaGone } from './errors.ts'

const maxDescription = 1500
/** A preparation has a minute. */
const uploadMs = 45_000
const timeoutMs = 30 * minuteMs

/** A file at the server; without a URL it is still being processed (Mastodon API, media, 2026-07-02). */
const Attachment = z.object({ id: z.string(), url: z.nullish(z.string()) })
type Attachment = z.infer<typeof Attachment>

/** Sends one file, with its description, streamed. */
const upload = ({ ctx, account }: PlatformCall, file: MediaFile): Promise<Attachment> => {
  const { storageKey, mimeType, fileSize: size } = file
  // Truncated rather than rejected: the alt text matters less than the post.
  const description = cutText(file.altText ?? '', maxDescription, codePoints)
  const fields = description === '' ? [] : [{ name: 'description', value: description }]
  const read = () => streamRange(ctx, storageKey, 0, size - 1)
  return callMastodon(ctx, account, {
    method: 'POST',
    path: '/api/v2/media',
    body: formWithFile(fields, { name: filenameOf(file), mimeType, size, read }),
    totalMs: uploadMs,
    reply: Attachment,
  })
}

/** Files that are uploaded, and since when they are waited for. */
const Progress = z.object({ mediaIds: z.array(z.string()), sinceMs: z.number() })
type Progress = z.infer<typeof Progress>

const readAttachment = ({ ctx, account }: PlatformCall, media: string): Promise<Attachment> =>
  callMastodon(ctx, account, { path: '/api/v1/media/{media}', params: { media }, reply: Attachment }).catch(
    (error: unknown) => {
      const isGone = error instanceof PlatformError && error.info.notFound
      throw isGone ? classified(definition.name, mediaGone, error.info) : error
    },
  )

const begin = async (call: PlatformCall): Promise<{ files: Attachment[]; sinceMs: number }> => ({
  files: await Promise.all(call.post.media.map((file) => upload(call, file))),
  sinceMs: call.ctx.clock.now(),
})

const resumed = async (call: PlatformCall, resume: PreparedRef) => {
  const { mediaIds, sinceMs } = z.parse(Progress, resume)
  return { files: await Promise.all(mediaIds.map((id) => readAttachment(call, id))), sinceMs }
}

/** Uploads the files once and waits until the server has processed them. Images are processed immediately. */
export const prepareMedia = async (
  call: PlatformCall,
  resume: PreparedRef | undefined,
): Promise<{ mediaIds: readonly string[] } | { waitSeconds: number; resume: Progress }> => {
  const { files, sinceMs } = resume === undefined ? await begin(call) : await resumed(call, resume)
  const mediaIds = files.map(({ id }) => id)
  if (files.every(({ url }) => typeof url === 'string')) return { mediaIds }
  const waitedMs = call.ctx.clock.now() - sinceMs
  if (waitedMs > timeoutMs) throw classified(definition.name, commonErrors.stillProcessing)
  return { waitSeconds: processingWaitSeconds(waitedMs), resume: { mediaIds, sinceMs } }
}

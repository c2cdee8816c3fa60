import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { assertUploadAddress, fileRange } from '../files.ts'
import { type ErrorResponse, type PlatformResponse, sendRequest, unclearResponse } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'

/**
 * The size of all chunks but the last. TikTok requires 5 to 64 MB, floor(size / chunk) of them, and the rest in the last
 * one; a file with only one chunk is sent whole (Content Posting API, Media Transfer Guide). The last chunk, which
 * publishes, therefore always has less than twice this.
 */
const chunkBytes = 10_000_000

interface ChunkPlan {
  chunkSize: number
  count: number
  /** The start of the chunk that completes the video. */
  lastFrom: number
}

export const planChunks = (videoSize: number): ChunkPlan => {
  const count = Math.floor(videoSize / chunkBytes)
  if (count <= 1) return { chunkSize: videoSize, count: 1, lastFrom: 0 }
  return { chunkSize: chunkBytes, count, lastFrom: (count - 1) * chunkBytes }
}

/** A video during its upload, as journaled: everything that its later calls need. */
export const Task = z.object({
  publishId: z.string(),
  uploadUrl: z.string(),
  storageKey: z.string(),
  mimeType: z.string(),
  size: z.int(),
  /** The first byte that TikTok has not got. */
  next: z.int(),
  expiresAtMs: z.number(),
  privacyLevel: z.string(),
})
export type Task = z.infer<typeof Task>

const hosts = ['.tiktokapis.com']

/** An invocation starts no chunk after this long: it ends well within its minute, however slow the network is. */
const phaseMs = 25_000

const gone = (status: number) =>
  new PlatformError('transient', 'TikTok dropped the upload.', { httpStatus: status, preparedGone: true })

/** Responses before the last chunk: they say nothing about the content, and another worker may be at the same upload. */
const misfit = (status: number) =>
  new PlatformError('transient', `TikTok did not accept a part of the video (HTTP ${status}).`, { httpStatus: status })

const classifyUploadError = (publishes: boolean, { status }: ErrorResponse) => {
  if (status === 403 || status === 404) return gone(status)
  if (status === 401) return new PlatformError('auth', 'TikTok rejected the upload.', { httpStatus: status })
  if (status === 429) {
    return new PlatformError('rate', 'TikTok rate limit reached for uploads. Try again later.', {
      httpStatus: status,
      retryAfterSeconds: 60,
    })
  }
  if (!publishes) return misfit(status)
  return new PlatformError('invalid', `TikTok rejected the upload (HTTP ${status}).`, { httpStatus: status })
}

/** How much TikTok has, by the Content-Range of its response; undefined if it does not say. */
const storedBytes = ({ headers }: PlatformResponse): number | undefined => {
  const [, last] = /^bytes \d+-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
  return last === undefined ? undefined : Number(last) + 1
}

/** Sends bytes up to but excluding `end`; returns the first byte that TikTok lacks. */
const putChunk = async (ctx: Context, task: Task, end: number, publishes: boolean): Promise<number> => {
  const { next: from, size } = task
  const answer = await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/video/',
    address: assertUploadAddress(ctx, definition, task.uploadUrl, hosts),
    headers: { 'content-range': `bytes ${from}-${end - 1}/${size}` },
    body: fileRange(ctx, task, from, end - 1),
    accepts: [416],
    creates: publishes,
    totalMs: publishes ? 30_000 : 20_000,
    classifyError: (answer) => classifyUploadError(publishes, answer),
  })
  if (answer.status === 201) return size
  const stored = storedBytes(answer) ?? (answer.status === 206 ? end : undefined)
  if (stored === undefined)
    throw unclearResponse({ platform: definition, creates: publishes }, 'no range', answer.status)
  return stored
}

/** Sends chunks in order until one is left or the phase is over; returns the progress of the task. */
export const sendChunks = async (ctx: Context, task: Task): Promise<Task> => {
  const { chunkSize, lastFrom } = planChunks(task.size)
  const startedMs = ctx.clock.now()
  let { next } = task
  while (next < lastFrom && ctx.clock.now() - startedMs < phaseMs) {
    next = await putChunk(ctx, { ...task, next }, Math.min(next + chunkSize, lastFrom), false)
  }
  return { ...task, next }
}

/** Sends the chunk that completes the video; bytes that TikTok lacks after that are lost. */
export const sendLastChunk = async (ctx: Context, task: Task): Promise<void> => {
  const stored = await putChunk(ctx, { ...task, next: planChunks(task.size).lastFrom }, task.size, true)
  if (stored < task.size) throw gone(416)
}

import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { tokenOf } from '../oauth.ts'
import { isPreparedGone, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { videoOf } from '../video-of.ts'
import { callTikTok } from './api.ts'
import { planChunks } from './chunks.ts'
import { askForPostInfo } from './creator.ts'
import { definition, TikTokMetadata } from './definition.ts'
import { classifyFailReason } from './errors.ts'
import { readStanding } from './status.ts'
import { sendChunks, sendLastChunk, Task } from './upload.ts'

/** An upload address lives for an hour; used no longer than this. */
const uploadMs = 55 * minuteMs
/** What is younger than this is carried on with. */
const resumeMs = 50 * minuteMs

const Opened = z.object({ publish_id: z.string(), upload_url: z.string() })

/**
 * Asks what the account may do, then opens an upload. Nothing is public before its last byte (Content Posting API,
 * Direct Post).
 */
const begin = async (call: PlatformCall): Promise<Task> => {
  const { ctx, account, post } = call
  const file = videoOf(definition.name, post)
  const postInfo = await askForPostInfo(call)
  const { chunkSize, count } = planChunks(file.fileSize)
  const source = { source: 'FILE_UPLOAD', video_size: file.fileSize, chunk_size: chunkSize, total_chunk_count: count }
  const json = { post_info: postInfo, source_info: source }
  const path = '/v2/post/publish/video/init/'
  const { data } = await callTikTok(ctx, { path, token: tokenOf(account), json, reply: Opened })
  return {
    publishId: data.publish_id,
    uploadUrl: data.upload_url,
    storageKey: file.storageKey,
    mimeType: file.mimeType,
    size: file.fileSize,
    next: 0,
    expiresAtMs: ctx.clock.now() + uploadMs,
    privacyLevel: z.parse(TikTokMetadata, post.metadata).privacyLevel,
  }
}

const carryOn = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Task> => {
  const { ctx } = call
  const known = z.safeParse(Task, resume).data
  if (known === undefined || ctx.clock.now() > known.expiresAtMs - uploadMs + resumeMs) {
    return sendChunks(ctx, await begin(call))
  }
  try {
    return await sendChunks(ctx, known)
  } catch (error) {
    if (!isPreparedGone(error)) throw error
    return sendChunks(ctx, await begin(call))
  }
}

/** Sends all of the video but the chunk that completes it, in phases. */
export const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const task = await carryOn(call, resume)
  const isReady = task.next >= planChunks(task.size).lastFrom
  return isReady ? { ready: task, expiresAtMs: task.expiresAtMs } : { waitSeconds: 1, resume: task }
}

const notYet = (detail: string) =>
  new PlatformError('unknown', 'TikTok is still processing the video. It will be live soon.', { detail })

/** What became of a video that TikTok may have whole; as long as that is not known, nothing is sent again. */
const assertLanded = async (call: PlatformCall, task: Task, refusal?: PlatformError): Promise<PublishedPost> => {
  const standing = await readStanding(call, task, 0).catch((error: unknown) => {
    throw error instanceof PlatformError ? notYet(error.message) : error
  })
  if (standing.kind === 'published') return { id: standing.id, url: standing.url }
  if (standing.kind === 'failed') throw classifyFailReason(standing.reason)
  if (standing.kind === 'incomplete' && refusal) throw refusal
  throw notYet('processing')
}

/** Sends the last chunk, which publishes. A repeat for the same publish id makes no second post. */
export const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const task = z.parse(Task, ref)
  try {
    await sendLastChunk(call.ctx, task)
  } catch (error) {
    // An address that is closed may have been closed by an earlier try that completed the video.
    if (isPreparedGone(error)) return assertLanded(call, task, error)
    throw error
  }
  return assertLanded(call, task)
}

/** Asks for the publication by its id. */
export const probe = async (call: PlatformCall, { ref, startedAtMs }: UnsettledAttempt): Promise<ProbeResult> => {
  const task = z.parse(Task, ref)
  const standing = await readStanding(call, task, call.ctx.clock.now() - startedAtMs)
  if (standing.kind === 'published') return standing
  if (standing.kind === 'failed') return { kind: 'rejected', error: classifyFailReason(standing.reason) }
  return standing.kind === 'processing' ? { kind: 'unclear' } : { kind: 'absent' }
}

import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { videoOf } from '../files.ts'
import { tokenOf } from '../oauth.ts'
import { isPreparedGone, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callTikTok } from './api.ts'
import { definition, TikTokMetadata } from './definition.ts'
import { classifyFailReason } from './errors.ts'
import { planChunks, sendChunks, sendLastChunk, Task } from './upload.ts'

/** What TikTok lets this account do right now (Content Posting API, Query Creator Info). */
const Creator = z.object({
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.optional(z.boolean()),
  duet_disabled: z.optional(z.boolean()),
  stitch_disabled: z.optional(z.boolean()),
  max_video_post_duration_sec: z.optional(z.number()),
})
type Creator = z.infer<typeof Creator>

const assertAllowed = ({ post }: PlatformCall, { privacyLevel }: TikTokMetadata, creator: Creator) => {
  const { privacy_level_options: offered, max_video_post_duration_sec: maxSeconds } = creator
  if (!offered.includes(privacyLevel)) {
    const text = `TikTok does not offer ${privacyLevel} to this account. Choose one of ${offered.join(', ')}.`
    throw new PlatformError('invalid', text, { code: 'privacy_level_option_mismatch' })
  }
  const seconds = (post.media[0]?.durationMs ?? 0) / 1000
  if (maxSeconds !== undefined && seconds > maxSeconds) {
    throw new PlatformError(
      'invalid',
      `TikTok accepts videos of at most ${maxSeconds} s from this account; this one has ${seconds} s.`,
    )
  }
}

/** How the post is to appear, once TikTok has said that the account may post so. */
const askForPostInfo = async (call: PlatformCall): Promise<Readonly<Record<string, unknown>>> => {
  const { ctx, account, post } = call
  const path = '/v2/post/publish/creator_info/query/'
  const { data: creator } = await callTikTok(ctx, { path, token: tokenOf(account), json: null, reply: Creator })
  const metadata = z.parse(TikTokMetadata, post.metadata)
  assertAllowed(call, metadata, creator)
  const coverMs = metadata.videoCoverTimestampMs
  return {
    title: post.text,
    privacy_level: metadata.privacyLevel,
    disable_duet: creator.duet_disabled === true || metadata.disableDuet !== false,
    disable_comment: creator.comment_disabled === true || metadata.disableComment !== false,
    disable_stitch: creator.stitch_disabled === true || metadata.disableStitch !== false,
    ...(coverMs === undefined ? {} : { video_cover_timestamp_ms: Math.round(coverMs) }),
    brand_content_toggle: metadata.brandContentToggle === true,
    brand_organic_toggle: metadata.brandOrganicToggle === true,
    is_aigc: metadata.isAigc === true,
  }
}

/** Where a publication stands. */
type Standing =
  | ({ kind: 'published' } & PublishedPost)
  | { kind: 'processing' }
  /** Not all bytes have arrived. */
  | { kind: 'incomplete' }
  | { kind: 'failed'; reason: string }

const Status = z.object({
  status: z.string(),
  fail_reason: z.optional(z.string()),
  uploaded_bytes: z.optional(z.number()),
})

/**
 * The id shows up when a public post has passed moderation; waited for no longer than this (Content Posting API, Get
 * Post Status).
 */
const moderationMs = 5 * minuteMs

/** Ids are larger than JSON's numbers hold, TikTok misspells the field, and the list may be a bare number. */
const postId = /"publica?ly_available_post_id"\s*:\s*\[?\s*"?(\d+)/

/** Asked right after the last chunk as well, which may have taken half a minute of the one there is. */
const totalMs = 8_000

const profileUrl = (username: string | null) => (username === null ? null : `https://www.tiktok.com/@${username}`)

/** Asks by the publish id; `sinceMs` is how long ago the video was sent. */
const readStanding = async (call: PlatformCall, task: Task, sinceMs: number): Promise<Standing> => {
  const { ctx, account } = call
  const path = '/v2/post/publish/status/fetch/'
  const json = { publish_id: task.publishId }
  const { data, text } = await callTikTok(ctx, { path, token: tokenOf(account), json, totalMs, reply: Status })
  if (data.status === 'FAILED') return { kind: 'failed', reason: data.fail_reason ?? 'unknown' }
  if (data.status === 'PUBLISH_COMPLETE') {
    const [, id] = postId.exec(text) ?? []
    const profile = profileUrl(account.username)
    if (id !== undefined) return { kind: 'published', id, url: profile && `${profile}/video/${id}` }
    const mayCome = task.privacyLevel === 'PUBLIC_TO_EVERYONE' && sinceMs < moderationMs
    return mayCome ? { kind: 'processing' } : { kind: 'published', id: null, url: profile }
  }
  const missing = data.status === 'PROCESSING_UPLOAD' && (data.uploaded_bytes ?? task.size) < task.size
  return { kind: missing ? 'incomplete' : 'processing' }
}

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

const resumeUpload = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Task> => {
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
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const task = await resumeUpload(call, resume)
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
const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
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
const probe = async (call: PlatformCall, { ref, startedAtMs }: UnconfirmedAttempt): Promise<ProbeResult> => {
  const task = z.parse(Task, ref)
  const standing = await readStanding(call, task, call.ctx.clock.now() - startedAtMs)
  if (standing.kind === 'published') return standing
  if (standing.kind === 'failed') return { kind: 'rejected', error: classifyFailReason(standing.reason) }
  return standing.kind === 'processing' ? { kind: 'unclear' } : { kind: 'absent' }
}

/** TikTok: the last chunk of an upload publishes it, and the status of its publish id returns its outcome. */
export const tiktok: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  // The publish id is asked, and a repeat of the last chunk is harmless: no lag of reads to wait out.
  readLagSeconds: 10,
  prepare,
  commit,
  probe,
}

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
import { definition, isDraft, TikTokMetadata } from './definition.ts'
import { classifyFailReason, ofDraft } from './errors.ts'
import { begunBy, describePhotos, isPhotoPost, Photos, publishPhotos } from './photos.ts'
import { assertLanded, type Begun, readStanding } from './standing.ts'
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

/** What TikTok reports about the account, once it has confirmed that the account may post as the author wants. */
const askCreator = async (call: PlatformCall, metadata: TikTokMetadata): Promise<Creator> => {
  const { ctx, account } = call
  const path = '/v2/post/publish/creator_info/query/'
  const { data: creator } = await callTikTok(ctx, { path, token: tokenOf(account), json: null, reply: Creator })
  assertAllowed(call, metadata, creator)
  return creator
}

/** The common part of videos and photos. */
const sharedInfo = (metadata: TikTokMetadata, creator: Creator) => ({
  privacy_level: metadata.privacyLevel,
  disable_comment: creator.comment_disabled === true || metadata.disableComment !== false,
  brand_content_toggle: metadata.brandContentToggle === true,
  brand_organic_toggle: metadata.brandOrganicToggle === true,
})

/** How a video is to appear. */
const videoInfo = async (call: PlatformCall, metadata: TikTokMetadata): Promise<Readonly<Record<string, unknown>>> => {
  const creator = await askCreator(call, metadata)
  const coverMs = metadata.videoCoverTimestampMs
  return {
    title: call.post.text,
    ...sharedInfo(metadata, creator),
    disable_duet: creator.duet_disabled === true || metadata.disableDuet !== false,
    disable_stitch: creator.stitch_disabled === true || metadata.disableStitch !== false,
    ...(coverMs === undefined ? {} : { video_cover_timestamp_ms: Math.round(coverMs) }),
    is_aigc: metadata.isAigc === true,
  }
}

/** Nothing is sent before the post's time: TikTok has no photo drafts that a later call would publish. */
const preparePhotos = async (call: PlatformCall): Promise<Prepared> => {
  const metadata = z.parse(TikTokMetadata, call.post.metadata)
  // A draft has no settings: its owner chooses them in the app.
  const info = isDraft(metadata) ? {} : sharedInfo(metadata, await askCreator(call, metadata))
  const ready = describePhotos(call, metadata, info)
  return { ready, expiresAtMs: call.ctx.clock.now() + uploadMs }
}

/** An upload address lives for an hour; used no longer than this. */
const uploadMs = 55 * minuteMs
/** An upload that is younger than this is continued. */
const resumeMs = 50 * minuteMs

const Opened = z.object({ publish_id: z.string(), upload_url: z.string() })

/**
 * Queries what the account may do, then opens an upload. Nothing is public, or in the inbox, before its last byte (Content
 * Posting API, Direct Post and Upload).
 */
const begin = async (call: PlatformCall): Promise<Task> => {
  const { ctx, account, post } = call
  const file = videoOf(definition.name, post)
  const metadata = z.parse(TikTokMetadata, post.metadata)
  const { chunkSize, count } = planChunks(file.fileSize)
  const source = { source: 'FILE_UPLOAD', video_size: file.fileSize, chunk_size: chunkSize, total_chunk_count: count }
  const json = isDraft(metadata)
    ? { source_info: source }
    : { post_info: await videoInfo(call, metadata), source_info: source }
  const path = isDraft(metadata) ? '/v2/post/publish/inbox/video/init/' : '/v2/post/publish/video/init/'
  const { data } = await callTikTok(ctx, { path, token: tokenOf(account), json, reply: Opened }).catch((error) => {
    throw isDraft(metadata) ? ofDraft(error) : error
  })
  return {
    publishId: data.publish_id,
    uploadUrl: data.upload_url,
    storageKey: file.storageKey,
    mimeType: file.mimeType,
    size: file.fileSize,
    next: 0,
    expiresAtMs: ctx.clock.now() + uploadMs,
    privacyLevel: metadata.privacyLevel,
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
  if (isPhotoPost(call.post)) return preparePhotos(call)
  const task = await resumeUpload(call, resume)
  const isReady = task.next >= planChunks(task.size).lastFrom
  return isReady ? { ready: task, expiresAtMs: task.expiresAtMs } : { waitSeconds: 1, resume: task }
}

const begunOf = ({ publishId, privacyLevel, size }: Task): Begun => ({ publishId, privacyLevel, size, kind: 'video' })

/** Sends the last chunk, which publishes. A repeat for the same publish ID creates no second post. */
const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const photos = z.safeParse(Photos, ref).data
  if (photos !== undefined) return publishPhotos(call, photos)
  const task = z.parse(Task, ref)
  try {
    await sendLastChunk(call.ctx, task)
  } catch (error) {
    // An address that is closed may have been closed by an earlier try that completed the video.
    if (isPreparedGone(error)) return assertLanded(call, begunOf(task), { refusal: error })
    throw error
  }
  return assertLanded(call, begunOf(task))
}

/**
 * Queries the publication by its ID. Photos get theirs by the call that publishes, and TikTok lists none: if its response is
 * lost, the outcome can never be known.
 */
const probe = async (call: PlatformCall, { ref, startedAtMs }: UnconfirmedAttempt): Promise<ProbeResult> => {
  const photos = z.safeParse(Photos, ref).data
  const begun = photos === undefined ? begunOf(z.parse(Task, ref)) : begunBy(photos)
  if (begun === undefined) return { kind: 'unprovable' }
  const standing = await readStanding(call, begun, call.ctx.clock.now() - startedAtMs)
  if (standing.kind === 'published') return standing
  if (standing.kind === 'failed') {
    return { kind: 'rejected', error: classifyFailReason(standing.reason, begun.kind) }
  }
  return standing.kind === 'processing' ? { kind: 'unclear' } : { kind: 'absent' }
}

/**
 * TikTok: the last chunk of an upload publishes it, and the status of its publish ID returns its outcome. For photos, only
 * those whose publish ID arrived can be queried.
 */
export const tiktok: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  // The publish ID is queried, and a repeat of the last chunk is harmless: there is no read lag to wait for.
  readLagSeconds: 10,
  prepare,
  commit,
  probe,
}

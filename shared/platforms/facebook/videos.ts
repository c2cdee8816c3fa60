import * as z from 'zod/mini'
import { hourMs, minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef, ProbeResult, UnconfirmedAttempt } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { readTrack, tracksOf } from '../captions.ts'
import { assertUploadAddress, mediaAddress, videoOf } from '../files.ts'
import { callGraph } from '../graph/call.ts'
import { startWaiting, Waiting, waitForMedia } from '../graph/containers.ts'
import { classifyGraphError } from '../graph/errors.ts'
import type { GraphSite } from '../graph/site.ts'
import { type ErrorResponse, requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { classified, commonErrors, isPreparedGone, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { definition, FacebookMetadata } from './definition.ts'
import { site } from './site.ts'
import { readStory, StoryReply } from './stories.ts'

/** What an uploaded video becomes; reels and stories are uploaded in a session, others in one call. */
const VideoFormat = z.enum(['video', 'reel', 'video_story'])
export type VideoFormat = z.infer<typeof VideoFormat>

/** A video that can be published: what its call and a probe need. */
export const ReadyVideo = z.object({ format: VideoFormat, video: z.string(), text: z.string() })
type ReadyVideo = z.infer<typeof ReadyVideo>

/** The state of an upload. */
const Progress = z.extend(Waiting, {
  video: z.string(),
  /** The URL that tells Facebook to load the file, in a session. */
  uploadUrl: z.optional(z.string()),
})
type Progress = z.infer<typeof Progress>

/** A preparation has a minute; Facebook responds when it has loaded the file. */
const uploadMs = 40_000
const processing = { site, timeoutMs: 30 * minuteMs }
/** Facebook documents no expiry for videos: photos have a day. */
const lifeMs = 20 * hourMs

/**
 * Meta may ask for `pages_manage_ads`, which is not for posts, where a video is not published immediately (Graph API, Page
 * Videos, v25.0): the account is fine.
 */
const unpublished: GraphSite = {
  ...site,
  classify: (error) =>
    error.code === 10 || (error.code >= 200 && error.code <= 299)
      ? ['blocked', 'does not let this Page keep a video before it is published']
      : site.classify(error),
}

/** Uploads a video unpublished. If its ID is lost, a video remains that no one sees. */
const upload = async ({ ctx, account, post }: PlatformCall): Promise<string> => {
  const file_url = mediaAddress(ctx, videoOf(definition.name, post))
  const description = post.text === '' ? {} : { description: post.text }
  const { id } = await callGraph(ctx, unpublished, {
    token: tokenOf(account),
    path: '/{page}/videos',
    params: { page: account.externalId },
    form: { file_url, published: 'false', ...description },
    totalMs: uploadMs,
    reply: z.object({ id: z.string() }),
  })
  return id
}

const hosts = ['.facebook.com']
const edges = { reel: 'video_reels', video_story: 'video_stories' } as const

const start = async ({ ctx, account }: PlatformCall, format: keyof typeof edges) => {
  const { video_id: video, upload_url: uploadUrl } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: `/{page}/${edges[format]}?upload_phase=start`,
    params: { page: account.externalId },
    form: {},
    reply: z.object({ video_id: z.string(), upload_url: z.string() }),
  })
  return { video, uploadUrl }
}

const UploadError = z.object({
  debug_info: z.object({ type: z.optional(z.string()), message: z.optional(z.string()) }),
})

/** The upload host has its own errors in addition to those of the Graph API. A session that failed is started again. */
const classifyUploadError = (token: string) => (response: ErrorResponse) => {
  const said = z.safeParse(UploadError, response.body).data?.debug_info
  if (said === undefined) return classifyGraphError(site, response, { creates: false, secrets: [token] })
  const info = { httpStatus: response.status, ...(said.type === undefined ? {} : { code: said.type }) }
  const failed = ['transient', 'could not take the video', { preparedGone: true }] as const
  return classified(definition.name, failed, info, said.message ?? 'no reason given')
}

/** Tells Facebook where to load the file. If no response arrives, the status of the video shows the result. */
const transfer = async ({ ctx, account, post }: PlatformCall, uploadUrl: string): Promise<void> => {
  const token = tokenOf(account)
  const request = {
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/video-upload/{video}',
    address: assertUploadAddress(ctx, definition, uploadUrl, hosts),
    headers: { authorization: `OAuth ${token}`, file_url: mediaAddress(ctx, videoOf(definition.name, post)) },
    totalMs: uploadMs,
    classifyError: classifyUploadError(token),
    reply: z.object({ success: z.literal(true) }),
  } as const
  await requestJson(ctx, request).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || error.errorClass !== 'transient' || isPreparedGone(error)) throw error
  })
}

const Failure = z.object({ message: z.optional(z.string()) })
const Phase = z.optional(
  z.object({
    status: z.optional(z.string()),
    publish_status: z.optional(z.string()),
    error: z.optional(Failure),
    errors: z.optional(z.array(Failure)),
  }),
)
const Standing = z.object({
  published: z.optional(z.boolean()),
  status: z.object({
    video_status: z.optional(z.string()),
    uploading_phase: Phase,
    processing_phase: Phase,
    publishing_phase: Phase,
  }),
})
type Standing = z.infer<typeof Standing>

const readStanding = ({ ctx, account }: PlatformCall, video: string, totalMs?: number): Promise<Standing> =>
  callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{video}',
    params: { video },
    query: { fields: 'published,status' },
    ...(totalMs === undefined ? {} : { totalMs }),
    reply: Standing,
  })

const phasesOf = ({ status }: Standing) => [status.uploading_phase, status.processing_phase, status.publishing_phase]
/** Meta's documentation uses both terms. */
const isDone = (phase: z.infer<typeof Phase>) => phase?.status === 'complete' || phase?.status === 'completed'

/** Why a video cannot be published; after a broken upload, or if the video is too old, the upload is started again. */
const failureOf = (standing: Standing): PlatformError | undefined => {
  const { video_status: whole } = standing.status
  const broken = phasesOf(standing).find((phase) => phase?.status === 'error' || phase?.error || phase?.errors?.length)
  if (whole === 'expired' || whole === 'upload_failed') {
    return new PlatformError('transient', 'Facebook dropped the uploaded video.', { code: whole, preparedGone: true })
  }
  if (whole !== 'error' && broken === undefined) return undefined
  const reason = (broken?.error ?? broken?.errors?.[0])?.message ?? 'no reason given'
  return classified(definition.name, ['invalid', 'could not process the video'], { detail: reason })
}

const isReady = ({ status }: Standing, format: VideoFormat): boolean => {
  if (status.video_status === 'ready') return true
  // A session is processed when it is published, or before (Reels Publishing API, v25.0).
  if (format === 'video' || status.processing_phase?.status === 'in_progress') return false
  return status.video_status === 'upload_complete' || isDone(status.uploading_phase)
}

/**
 * Adds captions to a video before it is published: SubRip, with the locale in the name of the file (Graph API, Video
 * Captions, v25.0). A repeat names the same locale.
 */
const addCaptions = async ({ ctx, account, post }: PlatformCall, video: string): Promise<void> => {
  const { captions } = z.parse(FacebookMetadata, post.metadata ?? {})
  for (const track of tracksOf(post, captions)) {
    const value = await readTrack(ctx, track, 'srt')
    const filename = `captions.${track.language.replace('-', '_')}.srt`
    const file = { name: 'captions_file', value, filename, type: 'application/x-subrip' }
    const request = { token: tokenOf(account), path: '/{video}/captions', params: { video }, file }
    await callGraph(ctx, site, { ...request, reply: z.object({ success: z.literal(true) }) })
  }
}

const look = async (call: PlatformCall, format: VideoFormat, progress: Progress): Promise<Prepared> => {
  const { video, uploadUrl, sinceMs } = progress
  const standing = await readStanding(call, video)
  const failure = failureOf(standing)
  if (failure) throw failure
  if (isReady(standing, format)) {
    await addCaptions(call, video)
    const ready: ReadyVideo = { format, video, text: call.post.text }
    return { ready, expiresAtMs: sinceMs + lifeMs }
  }
  const isMissing = standing.status.uploading_phase?.status === 'not_started'
  if (isMissing && uploadUrl !== undefined) await transfer(call, uploadUrl)
  return waitForMedia(processing, call, progress)
}

/** Uploads a video once and waits until it can be published, a step at each call. */
export const prepareVideo = async (
  call: PlatformCall,
  format: VideoFormat,
  resume: PreparedRef | undefined,
): Promise<Prepared> => {
  if (resume) return look(call, format, z.parse(Progress, resume))
  const since = startWaiting(call)
  const begun = format === 'video' ? { video: await upload(call) } : await start(call, format)
  if ('uploadUrl' in begun) await transfer(call, begun.uploadUrl)
  return waitForMedia(processing, call, { ...begun, ...since })
}

const isPublished = ({ published, status: { publishing_phase: phase } }: Standing, format: VideoFormat): boolean => {
  if (format === 'video') return published === true
  // A session that was not published yet may report a planned post as "published" (Facebook Stories API, v25.0).
  return isDone(phase) || (phase?.publish_status === 'published' && phase.status !== 'not_started')
}

const landed = async (call: PlatformCall, ready: ReadyVideo, sinceMs: number): Promise<PublishedPost> => {
  const { format, video } = ready
  if (format === 'video_story') return readStory(call, video, sinceMs)
  const folder = format === 'reel' ? 'reel' : `${call.account.externalId}/videos`
  return { id: video, url: `https://www.facebook.com/${folder}/${video}` }
}

const publication = ({ format, video, text }: ReadyVideo) => {
  if (format === 'video') return { path: '/{video}', form: { published: 'true' } }
  const path = `/{page}/${edges[format]}?upload_phase=finish`
  if (format === 'video_story') return { path, form: { video_id: video } }
  const description = text === '' ? {} : { description: text }
  return { path, form: { video_id: video, video_state: 'PUBLISHED', ...description } }
}

/** The call and the reads after it end within the half minute that a publication has. */
const createMs = 18_000
const readMs = 4_000

/**
 * The real meaning of an error: an earlier call may have published the video, or this one, which Meta sometimes carries out
 * although it reports a limit (Graph API, Rate Limiting).
 */
const refine = async (call: PlatformCall, ready: ReadyVideo, sinceMs: number, refusal: PlatformError) => {
  const standing = await readStanding(call, ready.video, readMs).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined
    throw error
  })
  if (standing && isPublished(standing, ready.format)) return landed(call, ready, sinceMs)
  const isLimit = refusal.errorClass === 'rate' || refusal.errorClass === 'quota'
  if (standing === undefined && isLimit) throw classified(definition.name, commonErrors.mayBeLive, refusal.info)
  const gone = standing && failureOf(standing)
  throw gone && isPreparedGone(gone) ? gone : refusal
}

/** Publishes a video with one call; for a published video, it changes nothing. */
export const publishVideo = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { ctx, account } = call
  const ready = z.parse(ReadyVideo, ref)
  const startedMs = ctx.clock.now()
  let story: PublishedPost['id'] = null
  try {
    const { post_id: id } = await callGraph(ctx, site, {
      ...publication(ready),
      token: tokenOf(account),
      params: { page: account.externalId, video: ready.video },
      creates: true,
      totalMs: createMs,
      reply: StoryReply,
    })
    story = id === undefined ? null : String(id)
  } catch (error) {
    if (!(error instanceof PlatformError) || ['auth', 'permission', 'unknown'].includes(error.errorClass)) throw error
    return refine(call, ready, startedMs, error)
  }
  const live = await landed(call, ready, startedMs)
  return { ...live, id: live.id ?? story }
}

/** The video itself shows whether it was published. */
export const probeVideo = async (
  call: PlatformCall,
  { ref, startedAtMs }: UnconfirmedAttempt,
): Promise<ProbeResult> => {
  const ready = z.parse(ReadyVideo, ref)
  const standing = await readStanding(call, ready.video)
  if (isPublished(standing, ready.format)) {
    return { kind: 'published', ...(await landed(call, ready, startedAtMs)) }
  }
  const failure = failureOf(standing)
  if (failure) return isPreparedGone(failure) ? { kind: 'absent' } : { kind: 'rejected', error: failure }
  const isWorking = phasesOf(standing).some((phase) => phase?.status === 'in_progress')
  return { kind: isWorking ? 'unclear' : 'absent' }
}

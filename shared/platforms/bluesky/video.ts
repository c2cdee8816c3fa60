import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, PreparedRef } from '../adapter.ts'
import { originOf } from '../base-urls.ts'
import { fileRange, processingWaitSeconds } from '../files.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyFailedVideo, classifyVideoError, videoNotAllowed } from './errors.ts'
import { sessionOf, xrpc } from './session.ts'

/** One service processes the videos of all servers, and stores each on its account's own (lexicons app.bsky.video). */
const videoHost = 'video.bsky.app'

const serviceOf = ({ ctx }: PlatformCall) => originOf(ctx, definition.id) ?? `https://${videoHost}`

/** How long the video service may use a token of the account; servers give at most an hour (PDS source, getServiceAuth). */
const tokenMs = 30 * minuteMs
/** A preparation has a minute. What is not sent by then is sent again. */
const uploadMs = 40_000

/** A token that the account's server signs for one method of another service. */
const askForToken = async ({ ctx, account }: PlatformCall, aud: string, lxm: string): Promise<string> => {
  const { service, accessJwt: token } = sessionOf(account)
  const exp = String(Math.floor((ctx.clock.now() + tokenMs) / 1000))
  const method = 'com.atproto.server.getServiceAuth'
  const reply = z.object({ token: z.string() })
  return (await xrpc(ctx, { service, method, token, query: { aud, lxm, exp }, reply })).token
}

const Limits = z.object({
  canUpload: z.boolean(),
  remainingDailyVideos: z.optional(z.number()),
  remainingDailyBytes: z.optional(z.number()),
  message: z.optional(z.string()),
  error: z.optional(z.string()),
})

/** The account's remaining upload allowance for today. */
const assertAllowed = async (call: PlatformCall, { fileSize }: MediaFile): Promise<void> => {
  const method = 'app.bsky.video.getUploadLimits'
  const { canUpload, remainingDailyVideos, remainingDailyBytes, message, error } = await xrpc(call.ctx, {
    service: serviceOf(call),
    method,
    token: await askForToken(call, `did:web:${videoHost}`, method),
    reply: Limits,
    classifyError: classifyVideoError,
  })
  if (!canUpload) throw videoNotAllowed([error, message].filter(Boolean).join(': ') || 'no reason given')
  if (remainingDailyVideos !== undefined && remainingDailyVideos < 1) throw videoNotAllowed('no videos are left today')
  if (remainingDailyBytes !== undefined && remainingDailyBytes < fileSize)
    throw videoNotAllowed(`${remainingDailyBytes} bytes are left today, and the video has ${fileSize}`)
}

const Job = z.object({
  jobId: z.string().check(z.minLength(1)),
  state: z.string(),
  blob: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(z.string()),
  failureCode: z.optional(z.string()),
  message: z.optional(z.string()),
})
type Job = z.infer<typeof Job>

/** An upload returns the job itself; the lexicon and all other calls return a job in an object. */
const JobReply = z.union([
  z.pipe(
    z.object({ jobStatus: Job }),
    z.transform(({ jobStatus }) => jobStatus),
  ),
  Job,
])

/** Sends the whole video. For bytes that it already has, the service responds 409 with their job. */
const upload = async (call: PlatformCall, file: MediaFile): Promise<Job> => {
  const { ctx, account, post } = call
  const server = new URL(sessionOf(account).service).hostname
  return xrpc(ctx, {
    service: serviceOf(call),
    method: 'app.bsky.video.uploadVideo',
    // A server's DID has the name of its host (PDS source, config).
    token: await askForToken(call, `did:web:${server}`, 'com.atproto.repo.uploadBlob'),
    query: { did: account.externalId, name: `${post.id}.mp4` },
    input: fileRange(ctx, file, 0, file.fileSize - 1),
    accepts: [409],
    totalMs: uploadMs,
    reply: JobReply,
    classifyError: classifyVideoError,
  })
}

/** A job that the service no longer knows is started again. */
const jobGone = () => new PlatformError('transient', 'Bluesky dropped the uploaded video.', { preparedGone: true })

const askJob = (call: PlatformCall, jobId: string): Promise<Job> =>
  xrpc(call.ctx, {
    service: serviceOf(call),
    method: 'app.bsky.video.getJobStatus',
    query: { jobId },
    reply: JobReply,
    classifyError: (response) => (response.status === 429 ? classifyVideoError(response) : jobGone()),
  })

/** A video that the service has: what its later calls need. */
const Progress = z.object({ jobId: z.string(), sinceMs: z.number() })
type Progress = z.infer<typeof Progress>

const begin = async (call: PlatformCall, file: MediaFile): Promise<{ job: Job } & Progress> => {
  await assertAllowed(call, file)
  const job = await upload(call, file)
  return { job, jobId: job.jobId, sinceMs: call.ctx.clock.now() }
}

const resumed = async (call: PlatformCall, resume: PreparedRef): Promise<{ job: Job } & Progress> => {
  const progress = z.parse(Progress, resume)
  return { job: await askJob(call, progress.jobId), ...progress }
}

/** Uploads a video once and waits until it is on the account's server, a step at each call. */
export const prepareVideo = async (
  call: PlatformCall,
  file: MediaFile,
  resume: PreparedRef | undefined,
): Promise<{ embed: object } | { waitSeconds: number; resume: Progress }> => {
  const { job, jobId, sinceMs } = resume === undefined ? await begin(call, file) : await resumed(call, resume)
  const { state, blob, error, failureCode, message } = job
  if (state === 'JOB_STATE_FAILED') throw classifyFailedVideo(failureCode ?? '', error ?? message ?? '')
  if (state === 'JOB_STATE_COMPLETED' && blob !== undefined) {
    const { altText: alt, width, height } = file
    const aspectRatio = width && height ? { aspectRatio: { width, height } } : {}
    return { embed: { $type: 'app.bsky.embed.video', video: blob, ...(alt ? { alt } : {}), ...aspectRatio } }
  }
  const waitedMs = call.ctx.clock.now() - sinceMs
  if (waitedMs > tokenMs) throw classifyFailedVideo('', 'it took too long')
  return { waitSeconds: processingWaitSeconds(waitedMs), resume: { jobId, sinceMs } }
}

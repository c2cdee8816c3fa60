import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { contentId } from './ids.ts'
import { readParam, refuse } from './refuse.ts'
import type { Authenticate } from './sessions.ts'
import { sniffType } from './sniff.ts'
import { readServiceToken, signServiceToken } from './tokens.ts'
import type { Uploads } from './uploads.ts'

/** A video that is processed; when it is done, its bytes are a blob of the account. */
interface VideoJob {
  jobId: string
  did: string
  cid: string
  startedAt: number
}

const serviceDid = 'did:web:video.bsky.app'
const maxBytes = 300_000_000
const maxBytesADay = 10_000_000_000
const longestTokenSeconds = 3600

/** How long after its upload a video is in each state; then it is done. */
const states = [
  { state: 'JOB_STATE_CREATED', untilMs: 1_000 },
  { state: 'JOB_STATE_ENCODING', untilMs: 5_000 },
  { state: 'JOB_STATE_SCANNING', untilMs: 7_000 },
  { state: 'JOB_STATE_UPLOADING', untilMs: 8_000 },
]

/** The video service, and the server's tokens for it. */
export function openVideos(
  { clock, url, blobs, keep }: SimulatorContext,
  authenticate: Authenticate,
  uploads: Uploads,
): Route[] {
  const jobs = keep<VideoJob>('videos')
  const server = `did:web:${new URL(url).hostname}`

  function serviceAuth(call: Call): Answer {
    const { did } = authenticate(call)
    const aud = readParam(call, 'aud')
    const nowSeconds = Math.floor(clock.now() / 1000)
    const exp = Number(call.query.get('exp') ?? nowSeconds + 60)
    if (!/^did:(web|plc):\S+$/.test(aud)) refuse(400, 'InvalidRequest', 'aud must be a valid atproto DID')
    if (exp < nowSeconds) refuse(400, 'BadExpiration', 'expiration is in past')
    if (exp > nowSeconds + longestTokenSeconds) refuse(400, 'BadExpiration', 'expiration is too far in the future')
    return { status: 200, body: { token: signServiceToken({ iss: did, aud, exp, lxm: readParam(call, 'lxm') }) } }
  }
  function ownerOf(call: Call, aud: string, lxm: string): string {
    return readServiceToken(call.headers['authorization'], { aud, lxm, nowMs: clock.now() })
  }
  function limits(call: Call): Answer {
    ownerOf(call, serviceDid, 'app.bsky.video.getUploadLimits')
    const left = { remainingDailyVideos: 25, remainingDailyBytes: maxBytesADay }
    return { status: 200, body: { canUpload: true, ...left } }
  }
  function upload(call: Call): Answer {
    const did = ownerOf(call, server, 'com.atproto.repo.uploadBlob')
    if (readParam(call, 'did') !== did) refuse(401, 'unauthorized', 'The token is for another account')
    if (call.headers['content-type'] !== 'video/mp4') refuse(400, 'InvalidRequest', 'Wrong request encoding')
    if (call.body.length > maxBytes) {
      const sizes = `file size (${call.body.length} bytes) is larger than the maximum allowed size (${maxBytes} bytes)`
      refuse(400, 'file_too_large', sizes)
    }
    const cid = contentId('raw', call.body)
    const jobId = `job-${cid}-${did.slice(-8)}`
    const known = jobs.get(jobId)
    if (known !== undefined) {
      const state = stateOf(known) ?? 'JOB_STATE_COMPLETED'
      return {
        status: 409,
        body: { did, jobId, state, error: 'already_exists', message: 'Video already processed' },
      }
    }
    blobs.put(cid, call.body)
    jobs.set(jobId, { jobId, did, cid, startedAt: clock.now() })
    return { status: 200, body: { jobStatus: { jobId, did, state: 'JOB_STATE_CREATED', progress: 0 } } }
  }
  function stateOf({ startedAt }: VideoJob): string | undefined {
    return states.find(({ untilMs }) => clock.now() - startedAt < untilMs)?.state
  }
  function status(call: Call): Answer {
    const job = jobs.get(readParam(call, 'jobId'))
    if (job === undefined) return refuse(404, 'NotFound', 'job not found')
    const { jobId, did, cid } = job
    const state = stateOf(job)
    if (state !== undefined) return { status: 200, body: { jobStatus: { jobId, did, state, progress: 50 } } }
    const bytes = blobs.get(cid) ?? Buffer.alloc(0)
    if (sniffType(bytes) !== 'video/mp4') {
      const failed = { state: 'JOB_STATE_FAILED', failureCode: 'validation_failure', error: 'not a video' }
      return { status: 200, body: { jobStatus: { jobId, did, ...failed } } }
    }
    const { mimeType, size } = uploads.store(did, bytes, 'video/mp4')
    const blob = { $type: 'blob', ref: { $link: cid }, mimeType, size }
    return { status: 200, body: { jobStatus: { jobId, did, state: 'JOB_STATE_COMPLETED', progress: 100, blob } } }
  }

  const video = '/xrpc/app.bsky.video'
  return [
    { method: 'GET', path: '/xrpc/com.atproto.server.getServiceAuth', operation: 'service', answer: serviceAuth },
    { method: 'GET', path: `${video}.getUploadLimits`, operation: 'limits', answer: limits },
    { method: 'POST', path: `${video}.uploadVideo`, operation: 'video', answer: upload },
    { method: 'GET', path: `${video}.getJobStatus`, operation: 'job', answer: status },
  ]
}

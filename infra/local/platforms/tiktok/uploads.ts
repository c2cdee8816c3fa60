import { hourMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import type { VideoTask } from './task.ts'

const lifeMs = hourMs
const types = ['video/mp4', 'video/quicktime', 'video/webm']

/** The box that every MP4 and MOV begins with. */
export const isVideo = (bytes: Buffer | undefined): boolean => bytes?.toString('latin1', 4, 8) === 'ftyp'

/** A video from another source. */
export function addOther(
  { clock, blobs }: SimulatorContext,
  tasks: StoredMap<VideoTask>,
  creatorId: string,
  title: string,
): void {
  const number = 7_300_000_000_000_000_000n + BigInt(tasks.values().length)
  const [uploadId, video] = [String(number), Buffer.from('\0\0\0\x18ftypisom', 'latin1')]
  const sizes = { videoSize: video.length, chunkSize: video.length, chunkCount: 1, received: video.length }
  const ids = { publishId: `v_pub_file~v2-1.${number}`, uploadId, creatorId, postId: String(number + 1n) }
  const times = { openedAt: clock.now(), uploadedAt: clock.now() }
  blobs.put(uploadId, video)
  tasks.set(uploadId, { ...ids, ...sizes, ...times, title, privacyLevel: 'PUBLIC_TO_EVERYONE', type: 'video/mp4' })
}

const stop = (status: number, headers: Readonly<Record<string, string>> = {}): never => {
  throw new Refused({ status, headers })
}

/** Receives the chunks of a video, each starting where the previous one ended; the last one completes it. */
export function openUploads({ clock, blobs }: SimulatorContext, tasks: StoredMap<VideoTask>): Route[] {
  function put(call: Call): Answer {
    const task = tasks.get(call.query.get('upload_id') ?? '')
    if (task === undefined || !call.query.get('upload_token')?.endsWith('==')) return stop(404)
    if (clock.now() >= task.openedAt + lifeMs) return stop(403)
    const { first, last, isLast } = readRange(call, task)
    if (first !== task.received) {
      return stop(416, task.received > 0 ? { 'content-range': `bytes 0-${task.received - 1}/${task.videoSize}` } : {})
    }
    blobs.put(chunkKey(task, first), call.body)
    const type = call.headers['content-type'] ?? ''
    tasks.set(task.uploadId, { ...task, type, received: last + 1, uploadedAt: isLast ? clock.now() : null })
    if (isLast) join(task)
    const range = { 'content-range': `bytes 0-${last}/${task.videoSize}` }
    return { status: isLast ? 201 : 206, headers: range }
  }

  /** The chunks become one video. */
  function join(task: VideoTask): void {
    const starts = Array.from({ length: task.chunkCount }, (_, n) => chunkKey(task, n * task.chunkSize))
    blobs.put(task.uploadId, Buffer.concat(starts.map((key) => blobs.get(key) ?? Buffer.alloc(0))))
    for (const key of starts) blobs.put(key, Buffer.alloc(0))
  }

  return [
    // One address for all calls: the range determines what a call does.
    { method: 'PUT', path: '/video/', operation: 'create', when: completes, answer: put },
    { method: 'PUT', path: '/video/', operation: 'upload', answer: put },
  ]
}

const completes = (headers: Call['headers']) => {
  const [, last, total] = /^bytes \d+-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return Number(last) + 1 === Number(total)
}

const chunkKey = (task: VideoTask, first: number) => `${task.uploadId}-${first}`

function readRange({ headers, body }: Call, task: VideoTask) {
  const { videoSize, chunkSize, chunkCount } = task
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const [first, last] = [Number(from), Number(to)]
  if (!types.includes(headers['content-type'] ?? '') || headers['content-length'] === undefined) return stop(400)
  if (total !== String(videoSize) || last - first + 1 !== body.length) return stop(400)
  const isLast = first === (chunkCount - 1) * chunkSize
  const isRight = isLast ? last === videoSize - 1 : first % chunkSize === 0 && body.length === chunkSize
  return isRight ? { first, last, isLast } : stop(400)
}

import { randomBytes } from 'node:crypto'
import { isGone } from '../../aws/bucket.ts'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { readTrack, type Track } from '../captions.ts'
import { sendRequest } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { giveBeside } from './beside.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'

/** Fits into the rest of the function's minute after the publishing call. */
const totalMs = 12_000

/** The description of a track and its file in one body (RFC 2387; Google API, Multipart upload). */
const related = (json: object, type: string, file: Buffer) => {
  const boundary = `part-${randomBytes(18).toString('hex')}`
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(json)}\r\n`
  const bytes = Buffer.concat([
    Buffer.from(`${head}--${boundary}\r\ncontent-type: ${type}\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { type: `multipart/related; boundary=${boundary}`, bytes }
}

/** One call (YouTube Data API, captions.insert, 2026-11-27: scope `youtube.force-ssl`, 400 units). */
const insert = async (call: PlatformCall, videoId: string, track: Track) => {
  const { ctx, account } = call
  const file = await readTrack(ctx, track)
  const snippet = { videoId, language: track.language, name: track.name, isDraft: false }
  await sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path: '/upload/youtube/v3/captions',
    query: { uploadType: 'multipart', part: 'snippet' },
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    body: related({ snippet }, 'application/octet-stream', file),
    totalMs,
    classifyError: classifyYouTubeError,
  })
}

/** A video has one track per language and name: for a repeated call, the response says that the track exists. */
const isThere = (error: unknown) => error instanceof PlatformError && error.info.code === 'captionExists'

const reasonOf = (error: unknown): string | undefined => (isGone(error) ? 'the file was deleted.' : undefined)

/** Adds a track to a live video; returns what to tell the author if that fails. */
export const addCaptions = (call: PlatformCall, videoId: string, track: Track): Promise<string | undefined> => {
  const give = () =>
    insert(call, videoId, track).catch((error: unknown) => {
      if (!isThere(error)) throw error
    })
  return giveBeside(call, `The captions in ${track.language} were not added`, give, reasonOf)
}

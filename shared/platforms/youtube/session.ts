import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type ErrorResponse, type PlatformResponse, type RequestBody, sendRequest, unclearResponse } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { assertUploadAddress } from '../upload-address.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'
import type { describeVideo } from './video.ts'

/** How far a session is: all of the video arrived and it exists, or so many bytes of it. */
export type Progress = { kind: 'done'; id: string } | { kind: 'open'; stored: number }

const hosts = ['.googleapis.com']
const path = '/upload/youtube/v3/videos'

/**
 * Opens a session; nothing exists before the last byte (YouTube Data API, Resumable Uploads). Answers the address that
 * stands for it.
 */
export const openSession = async (
  ctx: Context,
  token: string,
  file: { mimeType: string; fileSize: number },
  { resource, notifySubscribers }: ReturnType<typeof describeVideo>,
): Promise<string> => {
  const { headers, status } = await sendRequest(ctx, {
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path,
    query: { uploadType: 'resumable', part: 'snippet,status', notifySubscribers: String(notifySubscribers) },
    headers: {
      authorization: `Bearer ${token}`,
      'x-upload-content-length': String(file.fileSize),
      'x-upload-content-type': file.mimeType,
    },
    body: { type: 'application/json; charset=UTF-8', bytes: JSON.stringify(resource) },
    classifyError: classifyYouTubeError,
  })
  const { location } = headers
  if (location === undefined) throw unclearResponse({ platform: definition }, 'no Location', status)
  return assertUploadAddress(ctx, definition, location, hosts)
}

/** The session is gone: where its last byte was never sent, nothing exists and another one may be opened. */
const classifySessionError = (answer: ErrorResponse, creates: boolean): PlatformError => {
  const { status } = answer
  if (status !== 404 && status !== 410) {
    const error = classifyYouTubeError(answer)
    // Of what comes before the last bytes: it says nothing of the content, and another worker may be at the same upload.
    const isMisfit = !creates && error.errorClass === 'invalid'
    return isMisfit ? new PlatformError('transient', error.message, error.facts) : error
  }
  return new PlatformError('transient', 'YouTube dropped the upload.', { httpStatus: status, preparedGone: true })
}

const Video = z.object({ id: z.string() })

const progressOf = (answer: PlatformResponse, creates: boolean): Progress => {
  const { status, headers, body } = answer
  if (status === 308) {
    const [, last] = /^bytes=0-(\d+)$/.exec(headers['range'] ?? '') ?? []
    return { kind: 'open', stored: last === undefined ? 0 : Number(last) + 1 }
  }
  const video = z.safeParse(Video, body)
  if (!video.success) throw unclearResponse({ platform: definition, creates }, 'unexpected response body', status)
  return { kind: 'done', id: video.data.id }
}

interface Put {
  token: string
  session: string
  range: string
  body?: RequestBody
  /** It completes the video. */
  creates?: boolean
}

const put = async (ctx: Context, { token, session, range, body, creates = false }: Put): Promise<Progress> => {
  const answer = await sendRequest(ctx, {
    platform: definition,
    method: 'PUT',
    base: baseUrlOf(ctx, definition, 'api'),
    path: body ? path : `${path} (state)`,
    address: assertUploadAddress(ctx, definition, session, hosts),
    headers: {
      authorization: `Bearer ${token}`,
      'content-range': range,
      ...(body ? {} : { 'content-length': '0' }),
    },
    ...(body ? { body } : {}),
    accepts: [308],
    creates,
    totalMs: creates ? 30_000 : 20_000,
    classifyError: (answer) => classifySessionError(answer, creates),
  })
  return progressOf(answer, creates)
}

/** Sends bytes to a session. */
export const putRange = (ctx: Context, request: Put & { body: RequestBody }): Promise<Progress> => put(ctx, request)

/** Asks a session how far it is. */
export const askSession = (ctx: Context, { token, session, size }: { token: string; session: string; size: number }) =>
  put(ctx, { token, session, range: `bytes */${size}` })

import type { IncomingMessage, RequestListener } from 'node:http'
import { exportsPrefix, incomingPrefix } from '../../shared/resources.ts'
import { quoted } from './engines/buckets/answers.ts'
import type { Answer } from './engines/buckets/call.ts'
import { checkRead } from './engines/buckets/conditions.ts'
import { S3Error } from './engines/buckets/error.ts'
import { parseRange } from './engines/buckets/range.ts'
import { send } from './engines/buckets/send.ts'
import type { Buckets } from './engines/buckets.ts'
import { type Listener, listen } from './pages/server.ts'

export interface MediaOptions {
  buckets: Pick<Buckets, 'find' | 'stream' | 'listenerOf'>
  bucket: string
  /** The origin at which clients reach the files. */
  origin: string
}

const prefix = 'media/'

interface MediaHostOptions extends Omit<MediaOptions, 'origin'> {
  port?: number
}

/** Headers of an object that clients receive. */
const shownHeaders = ['content-type', 'content-disposition', 'content-encoding', 'content-language', 'cache-control']

/** What CloudFront adds to each response (infra/deploy/stacks/media.ts): a stranger's bytes may neither run nor be sniffed, and any page may read them. */
const policyHeaders = {
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
}

function keyOf(url: string): string {
  try {
    return decodeURIComponent(url.split('?', 1)[0]?.slice(1) ?? '')
  } catch {
    return ''
  }
}

function answer({ buckets, bucket }: MediaOptions, { method, url = '', headers }: IncomingMessage): Answer {
  const key = keyOf(url)
  const isRead = (method === 'GET' || method === 'HEAD') && key.startsWith(prefix)
  const object = isRead ? buckets.find(bucket, key) : undefined
  if (!object) return { status: 404 }
  checkRead(headers, object)
  const range = parseRange(headers.range, object.size)
  const { start, end } = range ?? { start: 0, end: object.size - 1 }
  const shown = Object.entries(object.headers).filter(([name]) => shownHeaders.includes(name))
  const answerHeaders = {
    ...Object.fromEntries(shown),
    'content-length': String(end - start + 1),
    'accept-ranges': 'bytes',
    etag: quoted(object.etag),
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    ...(range && { 'content-range': `bytes ${start}-${end}/${object.size}` }),
  }
  const status = range ? 206 : 200
  return method === 'HEAD'
    ? { status, headers: answerHeaders }
    : { status, headers: answerHeaders, body: buckets.stream(object, start, end) }
}

/** Whether S3 answers: a presigned URL, or what a browser asks before it sends to one. */
const isForBucket = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'OPTIONS' || new URLSearchParams(url.split('?')[1]).has('X-Amz-Algorithm')

/**
 * The files of one bucket for clients: those below media/ publicly and read-only, instead of CloudFront, and presigned
 * URLs, instead of S3.
 */
export const mediaListener = (options: MediaOptions): RequestListener => {
  const { buckets, bucket, origin } = options
  const presigned = buckets.listenerOf({ bucket, host: new URL(origin).host })
  return (incoming, outgoing) => {
    for (const [name, value] of Object.entries(policyHeaders)) outgoing.setHeader(name, value)
    if (isForBucket(incoming)) return presigned(incoming, outgoing)
    let result: Answer
    try {
      result = answer(options, incoming)
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      result = { status: error.status }
    }
    void send(incoming, outgoing, result)
  }
}

/** The same for the port of the API: undefined for a path that is not of a file. */
export const fileListeners = (options: MediaOptions) => {
  const listener = mediaListener(options)
  const prefixes = [`/${prefix}`, `/${incomingPrefix}`, `/${exportsPrefix}`]
  return (path: string) => (prefixes.some((start) => path.startsWith(start)) ? listener : undefined)
}

/** Serves them at a host of their own. */
export const startMediaHost = async ({ port = 0, ...options }: MediaHostOptions): Promise<Listener> => {
  const host = await listen(port)
  host.onRequest(mediaListener({ ...options, origin: host.url }))
  return host
}

import type { IncomingMessage } from 'node:http'
import { quoted } from './engines/buckets/answers.ts'
import type { Answer } from './engines/buckets/call.ts'
import { checkRead } from './engines/buckets/conditions.ts'
import { S3Error } from './engines/buckets/error.ts'
import { parseRange } from './engines/buckets/range.ts'
import { send } from './engines/buckets/send.ts'
import type { Buckets } from './engines/buckets.ts'
import type { Engine } from './engines/engine.ts'
import { listen } from './engines/listen.ts'

export interface MediaHostOptions {
  buckets: Pick<Buckets, 'find' | 'stream'>
  bucket: string
  port?: number
}

const prefix = 'media/'

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

function answer({ buckets, bucket }: MediaHostOptions, { method, url = '', headers }: IncomingMessage): Answer {
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

/** Serves the objects below media/ of one bucket publicly and read-only, instead of CloudFront. */
export async function startMediaHost(options: MediaHostOptions): Promise<Engine> {
  return listen(options.port ?? 0, (incoming, outgoing) => {
    for (const [name, value] of Object.entries(policyHeaders)) outgoing.setHeader(name, value)
    let result: Answer
    try {
      result = answer(options, incoming)
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      result = { status: error.status }
    }
    void send(incoming, outgoing, result)
  })
}

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Guard } from '../iam/guard.ts'
import type { JsonAnswer, JsonRequest } from '../iam/json.ts'
import type { Engine } from './engine.ts'
import { type EngineRequest, reachInProcess } from './in-process.ts'
import { listen } from './listen.ts'

type Answer = (request: JsonRequest) => JsonAnswer | Promise<JsonAnswer>

// An SQS batch is at most 1 MiB of text; JSON escapes can make it several times longer on the wire.
const maxBytes = 8 * 1024 * 1024

/**
 * Serves JSON over HTTP on 127.0.0.1, for engines whose AWS protocol is JSON. SDK clients of this process can reach the same
 * `answer` without a socket (in-process.ts), unless the engine can simulate connection faults. A guard sees each request
 * first.
 */
export async function startJsonServer(
  port: number,
  contentType: string,
  unguarded: Answer,
  guard?: Guard,
  { overSocket = false } = {},
): Promise<Engine> {
  const answer: Answer = guard === undefined ? unguarded : (request) => guard(request) ?? unguarded(request)
  const active = new Set<Promise<unknown>>()
  const track = <T>(exchange: Promise<T>): Promise<T> => {
    active.add(exchange)
    const done = () => active.delete(exchange)
    exchange.then(done, done)
    return exchange
  }
  const server = await listen(
    port,
    (incoming, outgoing) => void track(respond(incoming, outgoing, contentType, answer)),
  )
  const inThisProcess = async (request: EngineRequest) => {
    const { status, headers, body } = await track(answerOf(answer, request, true))
    const bytes = Buffer.from(JSON.stringify(body))
    return { statusCode: status, headers: { 'content-type': contentType, ...headers }, body: bytes }
  }
  const leave = overSocket ? () => undefined : reachInProcess(server.url, inThisProcess)
  return {
    url: server.url,
    async close() {
      leave()
      await Promise.all(active)
      await server.close()
    },
  }
}

/** The path of all requests in protocols without paths. */
const root = new URL('http://127.0.0.1/')

const answerOf = async (
  answer: Answer,
  { target, ...request }: EngineRequest,
  isInProcess: boolean,
): Promise<JsonAnswer> => {
  try {
    const { pathname, searchParams } = target === '/' ? root : new URL(target, 'http://127.0.0.1')
    const body: unknown = request.text === '' ? undefined : JSON.parse(request.text)
    return await answer({ ...request, isInProcess, path: pathname, query: searchParams, body })
  } catch (error) {
    return failure(error)
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  contentType: string,
  answer: Answer,
): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const { method = 'GET', url: target = '/', headers } = incoming
  const answered = await read(incoming).then(
    (text) => answerOf(answer, { method, target, headers, text, gone: gone.signal }, false),
    failure,
  )
  if (outgoing.destroyed) return
  if (answered.trouble === 'reset') return void outgoing.socket?.resetAndDestroy()
  if (answered.trouble === 'hang') return
  outgoing.writeHead(answered.status, { 'content-type': contentType, ...answered.headers })
  const closed = once(outgoing, 'close')
  outgoing.end(JSON.stringify(answered.body))
  await closed
}

const read = (incoming: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
    })
    incoming.on('end', () => {
      if (bytes > maxBytes) reject(new RangeError(`The request body is longer than ${maxBytes} bytes.`))
      else resolve(Buffer.concat(chunks).toString('utf8'))
    })
    incoming.on('error', reject)
    incoming.on('close', () => reject(new Error('The client hung up.')))
  })

function failure(error: unknown): JsonAnswer {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SyntaxError) return refuse(400, 'SerializationException', message)
  if (error instanceof RangeError) return refuse(413, 'RequestEntityTooLargeException', message)
  return refuse(500, 'InternalFailure', error instanceof Error ? (error.stack ?? message) : message)
}

function refuse(status: number, type: string, message: string): JsonAnswer {
  return { status, headers: { 'x-amzn-errortype': type }, body: { __type: type, message } }
}

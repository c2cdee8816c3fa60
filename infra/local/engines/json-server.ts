import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Headers, reachInProcess } from './in-process.ts'

export interface JsonRequest {
  method: string
  /** Path without the query, still percent-encoded. */
  path: string
  query: URLSearchParams
  headers: Headers
  /** The parsed JSON body; undefined when there was none. */
  body: unknown
  /** Aborts when the client hangs up before it has its answer. */
  gone: AbortSignal
}

export interface JsonAnswer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

export interface JsonServer {
  readonly url: string
  close(): Promise<void>
}

type Answer = (request: JsonRequest) => JsonAnswer | Promise<JsonAnswer>

// An SQS batch is at most 1 MiB of text; JSON escapes can make it several times longer on the wire.
const maxBytes = 8 * 1024 * 1024

/**
 * Serves JSON over HTTP on 127.0.0.1, for engines whose AWS protocol is JSON. SDK clients of this process can reach the
 * same `answer` without a socket (in-process.ts).
 */
export async function startJsonServer(port: number, contentType: string, answer: Answer): Promise<JsonServer> {
  const active = new Set<Promise<unknown>>()
  const track = <T>(exchange: Promise<T>): Promise<T> => {
    active.add(exchange)
    const done = () => active.delete(exchange)
    exchange.then(done, done)
    return exchange
  }
  const server = createServer((incoming, outgoing) => void track(respond(incoming, outgoing, contentType, answer)))
  // Longer than the idle time of SDK clients, so that the client is the one who closes.
  server.keepAliveTimeout = 65_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The local server has no port.')
  const url = `http://127.0.0.1:${address.port}`
  const leave = reachInProcess(url, ({ method, target, headers, body, abortSignal }) =>
    track(
      answerOf(answer, { method, target, headers, text: body, gone: abortSignal }).then(
        ({ status, headers: more, body: answered }) => ({
          statusCode: status,
          headers: { 'content-type': contentType, ...more },
          body: Buffer.from(JSON.stringify(answered)),
        }),
      ),
    ),
  )
  return {
    url,
    async close() {
      leave()
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(active)
      server.closeAllConnections()
      await closed
    },
  }
}

interface Exchange {
  method: string
  /** Path and query. */
  target: string
  headers: Headers
  text: string
  gone: AbortSignal
}

const answerOf = async (answer: Answer, { target, text, ...request }: Exchange): Promise<JsonAnswer> => {
  try {
    const { pathname, searchParams } = new URL(target, 'http://127.0.0.1')
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    return await answer({ ...request, path: pathname, query: searchParams, body })
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
    (text) => answerOf(answer, { method, target, headers, text, gone: gone.signal }),
    failure,
  )
  if (outgoing.destroyed) return
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

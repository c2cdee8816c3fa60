import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

export interface JsonRequest {
  method: string
  /** Path without the query, still percent-encoded. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
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

// An SQS batch is at most 1 MiB of text; JSON escapes can make it several times longer on the wire.
const maxBytes = 8 * 1024 * 1024

/** Serves JSON over HTTP on 127.0.0.1, for engines whose AWS protocol is JSON. */
export async function startJsonServer(
  port: number,
  contentType: string,
  answer: (request: JsonRequest) => Promise<JsonAnswer>,
): Promise<JsonServer> {
  const active = new Set<Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    const exchange = respond(incoming, outgoing, contentType, answer).finally(() => active.delete(exchange))
    active.add(exchange)
  })
  // Longer than the idle time of SDK clients, so that the client is the one who closes.
  server.keepAliveTimeout = 65_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The local server has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(active)
      server.closeAllConnections()
      await closed
    },
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  contentType: string,
  answer: (request: JsonRequest) => Promise<JsonAnswer>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const { status, headers, body } = await read(incoming)
    .then((text) => answer({ ...describe(incoming, text), gone: gone.signal }))
    .catch(failure)
  if (outgoing.destroyed) return
  outgoing.writeHead(status, { 'content-type': contentType, ...headers })
  outgoing.end(JSON.stringify(body))
  await once(outgoing, 'close')
}

function describe(incoming: IncomingMessage, text: string): Omit<JsonRequest, 'gone'> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  if (bytes > maxBytes) throw new RangeError(`The request body is longer than ${maxBytes} bytes.`)
  return Buffer.concat(chunks).toString('utf8')
}

function failure(error: unknown): JsonAnswer {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof SyntaxError) return refuse(400, 'SerializationException', message)
  if (error instanceof RangeError) return refuse(413, 'RequestEntityTooLargeException', message)
  return refuse(500, 'InternalFailure', error instanceof Error ? (error.stack ?? message) : message)
}

function refuse(status: number, type: string, message: string): JsonAnswer {
  return { status, headers: { 'x-amzn-errortype': type }, body: { __type: type, message } }
}

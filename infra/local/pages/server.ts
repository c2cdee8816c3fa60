import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { inTurn } from './in-turn.ts'

/** The response of a page or stand-in: bytes and strings are sent unchanged, everything else as JSON. */
export interface Answer {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

export interface Listener {
  readonly url: string
  onRequest(listener: RequestListener): void
  /** Handles requests that start a WebSocket; without a listener, they are handled like others. */
  onUpgrade(listener: (request: IncomingMessage, stream: Duplex, head: Buffer) => void): void
  close(): Promise<void>
}

/** Longer than a busy machine delays the notice that a connection was closed. */
const keepAliveMs = 60_000
/** Longer than any function runs behind the gateway. */
const stalledAfterMs = 60_000
/** A file of 4 GB at 10 Mbit/s. */
const requestTimeoutMs = 60 * 60_000

export interface ListenOptions {
  /** A connection on which no byte moves that long is closed, so that a client cannot hold unread responses in memory. */
  stalledMs?: number | undefined
  /** Loopback where not given. */
  address?: string | undefined
}

/** Listens on a port; the address is known before the first request is accepted. */
export async function listen(
  port: number,
  { stalledMs = stalledAfterMs, address }: ListenOptions = {},
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: requestTimeoutMs })
  server.timeout = stalledMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address ?? '127.0.0.1', resolve)
  })
  // node:net returns a string only for pipes, and this is a TCP server.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    onRequest: (listener) => void server.on('request', inTurn(listener)),
    onUpgrade: (listener) => void server.on('upgrade', listener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Reads a whole body; undefined if it is larger than allowed, or `mayStore` refuses bytes of it (the rest is drained, so that
 * the response arrives).
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  mayStore: (bytes: number) => boolean = () => true,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  let isStored = true
  for await (const chunk of request) {
    bytes += chunk.length
    isStored &&= bytes <= maxBytes && mayStore(chunk.length)
    if (isStored) chunks.push(chunk)
    else chunks.length = 0
  }
  return isStored ? Buffer.concat(chunks) : undefined
}

export function send(response: ServerResponse, answer: Answer): void {
  const { type, bytes } = encode(answer.body)
  response.writeHead(answer.status, { ...type, 'content-length': bytes.length, ...answer.headers })
  response.end(bytes)
}

/** Whether a body is sent as JSON. */
export const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)

/** The bytes of a response body, and their type unless the headers set another. */
export function encode(body: unknown): { type: Record<string, string>; bytes: Buffer } {
  if (body === undefined) return { type: {}, bytes: Buffer.alloc(0) }
  if (Buffer.isBuffer(body)) return { type: {}, bytes: body }
  if (typeof body === 'string')
    return { type: { 'content-type': 'text/plain; charset=utf-8' }, bytes: Buffer.from(body) }
  return { type: { 'content-type': 'application/json; charset=utf-8' }, bytes: Buffer.from(JSON.stringify(body)) }
}

import { lookup as lookUpAny } from 'node:dns'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { hostOf, isAllowedOrigin, isHttp, refuseAddress } from './address.ts'
import { lookupPublic } from './lookup.ts'
import { OutboundError, type OutboundRequest, type OutboundResponse, type StreamedBody } from './outbound.ts'

const maxIdleMs = 15_000
const idleSince = new WeakMap<object, number>()

/** Two separate pools, so that a guarded request never uses a connection with an unchecked address. */
const pools = { open: makePool(), guarded: makePool() }

/** The agent to send with: it reuses connections, except those that were idle for long. */
export function pickAgent(pool: keyof typeof pools, secure: boolean): HttpAgent {
  const agent = secure ? pools[pool].https : pools[pool].http
  // The agent's own timer does not run while Lambda is frozen: checked again by the wall clock.
  const oldest = Date.now() - maxIdleMs
  for (const socket of Object.values(agent.freeSockets).flat()) {
    if (socket && (idleSince.get(socket) ?? 0) < oldest) socket.destroy()
  }
  return agent
}

function makePool() {
  const options = { keepAlive: true, timeout: maxIdleMs }
  const http = new HttpAgent(options)
  // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED could otherwise turn it off.
  const https = new HttpsAgent({ ...options, rejectUnauthorized: true })
  for (const agent of [http, https]) agent.on('free', (socket: object) => idleSince.set(socket, Date.now()))
  return { http, https }
}

/** How far a request got: `tls` follows the TCP connection, `sent` begins before its first byte is written. */
type Stage = 'dns' | 'connect' | 'tls' | 'sent'

const phrases = { dns: 'The name lookup of', connect: 'The connection to', tls: 'The TLS handshake with' }

interface Progress {
  stage(): Stage
  enter(next: Stage): void
  /** The head of the response has arrived. */
  answered(): void
  /** Removes all limits. */
  stop(): void
}

/** Follows a request through its stages; calls `end` once if it exceeds one of its limits. */
function followProgress(request: OutboundRequest, host: string, end: (late: OutboundError) => void): Progress {
  let stage: Stage = 'dns'
  const after = (ms: number | undefined, text: string) =>
    ms === undefined ? undefined : setTimeout(() => end(new OutboundError('timeout', stage === 'sent', text)), ms)
  const { totalMs, connectMs, firstByteMs, stagesMs } = request
  const total = after(totalMs, `${host} did not respond in full within ${totalMs} ms.`)
  const connect = after(connectMs, `No connection to ${host} within ${connectMs} ms.`)
  let ofStage: NodeJS.Timeout | undefined
  let stopped = false
  return {
    stage: () => stage,
    enter(next) {
      // A lookup that was abandoned may still complete.
      if (stopped) return
      stage = next
      clearTimeout(ofStage)
      if (next === 'sent') {
        clearTimeout(connect)
        ofStage = after(firstByteMs, `${host} did not begin to respond within ${firstByteMs} ms.`)
      } else ofStage = after(stagesMs?.[next], `${phrases[next]} ${host} took longer than ${stagesMs?.[next]} ms.`)
    },
    answered: () => clearTimeout(ofStage),
    stop() {
      stopped = true
      for (const timer of [total, connect, ofStage]) clearTimeout(timer)
    },
  }
}

/**
 * The seconds of a Retry-After header (RFC 9110, section 10.2.3): a number or an HTTP date; undefined if it is neither.
 */
export const retryAfterSeconds = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // Every form of an HTTP date starts with the day; Date.parse alone accepts almost any text.
  const atMs = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}

/**
 * Sends one request and reads its response; a failure is an `OutboundError`.
 * It follows no redirect, uses no proxy, decompresses nothing, and retries nothing.
 */
export async function send(request: OutboundRequest): Promise<OutboundResponse> {
  const url = readAddress(request)
  const outgoing = openRequest(request, url, () => progress.enter('connect'))
  let late: OutboundError | undefined
  const progress = followProgress(request, url.host, (error) => {
    late = error
    outgoing.destroy()
  })
  progress.enter(isIP(hostOf(url)) ? 'connect' : 'dns')

  outgoing.on('socket', (socket) => {
    // Written only now, so that `sent` is exact: before this, no byte can have left.
    const carry = () => {
      progress.enter('sent')
      write(outgoing, request.body)
    }
    if (outgoing.reusedSocket) return carry()
    socket.once('connect', () => {
      progress.enter('tls')
      if (url.protocol === 'http:') carry()
    })
    socket.once('secureConnect', carry)
  })

  try {
    const incoming = await waitForHead(outgoing)
    progress.answered()
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    return { status: incoming.statusCode ?? 0, headers, ...(await readBody(incoming, headers, request)) }
  } catch (error) {
    throw late ?? (error instanceof ReceiverError ? error.cause : nameFailure(error, progress.stage(), url.host))
  } finally {
    progress.stop()
  }
}

function readAddress({ url: address, guard }: OutboundRequest): URL {
  const url = URL.parse(address)
  if (!url || !isHttp(url)) throw new OutboundError('bad_address', false, 'The address is not a valid http(s) URL.')
  const refusal = guard && refuseAddress(url, guard.allowedOrigins)
  if (refusal) throw new OutboundError('blocked_address', false, refusal)
  return url
}

function openRequest(request: OutboundRequest, url: URL, onLookedUp: () => void): ClientRequest {
  const { method, headers, body, guard } = request
  const guarded = guard && !isAllowedOrigin(url, guard.allowedOrigins)
  const secure = url.protocol === 'https:'
  return (secure ? requestHttps : requestHttp)({
    agent: pickAgent(guarded ? 'guarded' : 'open', secure),
    host: hostOf(url),
    port: url.port || (secure ? 443 : 80),
    path: url.pathname + url.search,
    method,
    // Node omits the length for methods that seldom have a body, such as DELETE.
    headers: { ...headers, ...(body !== undefined && { 'content-length': String(lengthOf(body)) }) },
    lookup: tellAfter(guarded ? lookupPublic(guard.resolve) : lookUpAny, onLookedUp),
  })
}

/** The socket's event is not enough: a response can arrive before a listener is attached. */
const tellAfter =
  (lookup: LookupFunction, onLookedUp: () => void): LookupFunction =>
  (host, options, callback) =>
    lookup(host, options, (...answer) => {
      onLookedUp()
      callback(...answer)
    })

const isStreamed = (body: OutboundRequest['body']): body is StreamedBody => typeof body === 'object' && 'open' in body

function lengthOf(body: NonNullable<OutboundRequest['body']>): number {
  return isStreamed(body) ? body.bytes : Buffer.byteLength(body)
}

function write(outgoing: ClientRequest, body: OutboundRequest['body']): void {
  if (!isStreamed(body)) return void outgoing.end(body)
  // A failure on either side ends the request, which then has no response.
  pipeline(body.open(), outgoing).catch((error: unknown) =>
    outgoing.destroy(error instanceof Error ? error : new Error(String(error))),
  )
}

function waitForHead(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.on('close', () => reject(new Error('closed without a response')))
  })
}

/** The receiver of a body failed, not the connection. */
class ReceiverError extends Error {}

async function passOn(
  incoming: IncomingMessage,
  maxBytes: number,
  receive: (body: AsyncIterable<Uint8Array>) => Promise<void>,
) {
  let lost: { error: unknown } | undefined
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    let bytes = 0
    try {
      for await (const chunk of incoming) {
        bytes += chunk.length
        if (bytes > maxBytes)
          throw new OutboundError('body_too_large', true, `The file has more than ${maxBytes} bytes.`)
        yield chunk
      }
    } catch (error) {
      lost = { error }
      throw error
    }
  }
  try {
    await receive(chunks())
  } catch (error) {
    throw lost?.error ?? new ReceiverError('the body was not received', { cause: error })
  } finally {
    incoming.destroy()
  }
}

async function readBody(
  incoming: IncomingMessage,
  headers: OutboundResponse['headers'],
  { maxBytes, receive }: OutboundRequest,
) {
  if (receive !== undefined && incoming.statusCode === 200) {
    await passOn(incoming, maxBytes, (body) => receive(body, headers))
    return { body: new Uint8Array(), truncated: false }
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop destroys the connection.
    if (bytes > maxBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: bytes > maxBytes }
}

function nameFailure(error: unknown, stage: Stage, host: string): OutboundError {
  if (error instanceof OutboundError) return error
  if (stage === 'sent')
    return new OutboundError('reset', true, `${host} closed the connection before its response was complete.`, error)
  if (stage === 'tls')
    return new OutboundError('tls', false, `A secure connection to ${host} could not be established.`, error)
  const unknown = error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo'
  if (unknown) return new OutboundError('dns', false, `The host name of ${host} could not be resolved.`, error)
  return new OutboundError('connect', false, `A connection to ${host} could not be established.`, error)
}

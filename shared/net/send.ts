import { lookup as lookUpAny } from 'node:dns'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { hostOf, isAllowedOrigin, isHttp, refuseAddress } from './address.ts'
import { pickAgent } from './agents.ts'
import { lookupPublic } from './lookup.ts'
import { OutboundError, type OutboundRequest, type OutboundResponse, type StreamedBody } from './outbound.ts'
import { followProgress, type Stage } from './progress.ts'

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
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
    return {
      status: incoming.statusCode ?? 0,
      headers: Object.fromEntries(headers),
      ...(await readBody(incoming, request)),
    }
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

async function passOn(incoming: IncomingMessage, maxBytes: number, receive: NonNullable<OutboundRequest['receive']>) {
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

async function readBody(incoming: IncomingMessage, { maxBytes, receive }: OutboundRequest) {
  if (receive !== undefined && incoming.statusCode === 200) {
    await passOn(incoming, maxBytes, receive)
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

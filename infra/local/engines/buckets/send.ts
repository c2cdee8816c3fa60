import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Answer } from './call.ts'

/** Drains the rest of a body, since a client that still writes would not see the response. */
async function drain(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return
  incoming.resume()
  await new Promise<void>((resolve) => incoming.once('end', resolve).once('close', resolve))
}

/** Writes one response; a client that disconnects in the meantime is not an error. */
export async function send(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer): Promise<void> {
  await drain(incoming)
  const { status, headers = {}, body = '' } = answer
  if (typeof body === 'string') {
    // HEAD keeps the length that its GET would have; no other response may claim bytes that do not follow.
    const length =
      incoming.method === 'HEAD' || status === 204 || status === 304
        ? {}
        : { 'content-length': Buffer.byteLength(body) }
    outgoing.writeHead(status, { ...length, ...headers })
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    return
  }
  outgoing.writeHead(status, headers)
  await pipeline(body, outgoing).catch(() => outgoing.destroy())
}

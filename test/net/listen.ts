import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { OutboundError, type OutboundRequest } from '../../shared/net/outbound.ts'
import { send } from '../../shared/net/send.ts'

/** Starts a server on loopback for the length of a test; returns its port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // A server that listens on TCP always has an AddressInfo.
  return (server.address() as AddressInfo).port
}

const defaults = { method: 'GET', totalMs: 5000, maxBytes: 1000 }

export function get(url: string, over: Partial<OutboundRequest> = {}) {
  return send({ ...defaults, url, ...over })
}

/** The failure of a request, as the two codes that decide the next step. */
export async function failure(url: string, over: Partial<OutboundRequest> = {}) {
  const error = await get(url, over).catch((thrown) => thrown)
  if (!(error instanceof OutboundError)) throw new Error('expected an OutboundError', { cause: error })
  return { code: error.code, sent: error.sent }
}

import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** A receiver that listens on this machine. */
export interface Opened {
  port: number
  close(): void
}

/** Lets a server listen on a free port of loopback; `close` also ends the connections it holds. */
export const open = async (server: Server, host = '127.0.0.1'): Promise<Opened> => {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    // Callers that break off are what some receivers are about.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    // A server that listens on TCP always has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

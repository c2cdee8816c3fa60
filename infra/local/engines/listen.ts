import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from './engine.ts'

/** Listens on 127.0.0.1; closing ends every open connection. */
export async function listen(port: number, listener: RequestListener): Promise<Engine> {
  const server = createServer(listener)
  // Longer than the idle time of SDK clients, so that the client is the one who closes.
  server.keepAliveTimeout = 65_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP always has an AddressInfo.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

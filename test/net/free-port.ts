import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Above the ports of a local service (infra/local/start/ports.ts) and below those that the system gives to port 0 and to
// outgoing connections: no other test takes the port between this look and the start of the server it is for.
const lowest = 30_001
const beyond = 32_768

/** A free port of 127.0.0.1, for a server that takes no port 0. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const server = createServer()
    const port = randomInt(lowest, beyond)
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
      return port
    } catch {
      // Taken: the next one.
    }
  }
  throw new Error('there is no free port')
}

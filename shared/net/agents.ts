import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

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

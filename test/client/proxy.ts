import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request on its way to the service. */
export type Fault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** No response. */
  | { kind: 'hang' }
  /** The connection ends before the service sees the request. */
  | { kind: 'reset' }
  /** The connection ends after the service has answered. */
  | { kind: 'lose' }
  /** The response comes with half of its body. */
  | { kind: 'damage' }

/** A request that reached the proxy. */
export interface Seen {
  method: string
  path: string
  headers: Record<string, string>
  bytes: number
  atMs: number
}

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Forwards to the service, with faults that a test arranges by `POST /faults`; `GET /seen` returns the requests. */
export const startProxy = async (target: string, page?: { path: string; type: string; body: string }[]) => {
  let faults: Fault[] = []
  let seen: Seen[] = []

  const forward = (incoming: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
      const { method, url, headers } = incoming
      const outgoing = request(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } })
      outgoing.on('error', reject)
      outgoing.on('response', async (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await read(answer) }),
      )
      outgoing.end(body)
    })

  const control = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> => {
    const own = page?.find(({ path }) => path === incoming.url)
    if (own) {
      outgoing.writeHead(200, { 'Content-Type': own.type }).end(own.body)
      return true
    }
    if (incoming.url === '/seen') {
      outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(seen))
      return true
    }
    if (incoming.url !== '/faults') return false
    faults = JSON.parse((await read(incoming)).toString())
    seen = []
    outgoing.writeHead(204).end()
    return true
  }

  const server = createServer(async (incoming, outgoing) => {
    // Browsers and Deno repeat a request by themselves if a connection that they used before is reset.
    const { 'sec-fetch-site': site, 'user-agent': agent = '' } = incoming.headers
    if (site !== undefined || agent.startsWith('Deno/')) outgoing.setHeader('Connection', 'close')
    if (await control(incoming, outgoing)) return
    const body = await read(incoming)
    seen.push({
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      bytes: body.length,
      atMs: Date.now(),
    })
    const fault = faults.shift()
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'reset') {
      incoming.socket.destroy()
      return
    }
    if (fault?.kind === 'answer') {
      const headers = { 'Content-Type': 'application/json', ...fault.headers }
      outgoing.writeHead(fault.status, headers).end(fault.body ?? '')
      return
    }
    const answer = await forward(incoming, body)
    if (fault?.kind === 'lose') {
      incoming.socket.destroy()
      return
    }
    const {
      'content-length': _length,
      'transfer-encoding': _encoding,
      connection: _connection,
      ...headers
    } = answer.headers
    const whole = fault?.kind === 'damage' ? answer.body.subarray(0, answer.body.length / 2) : answer.body
    outgoing.writeHead(answer.status, { ...headers, 'Content-Length': whole.length }).end(whole)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

import { Agent, type OutgoingHttpHeaders, request } from 'node:http'

/** A raw request: nothing is added to it, and the path is sent unchanged. */
export interface Sent {
  method: string
  path: string
  headers?: OutgoingHttpHeaders
  body?: Uint8Array | string
}

export interface Received {
  status: number
  headers: Headers
  text: string
}

export interface Wire {
  send(sent: Sent): Promise<Received>
  close(): void
}

const read = (headers: NodeJS.Dict<string | string[]>) =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((text) => [name, text] as const)),
  )

/** Connections that stay open between thousands of requests; it takes paths and headers that `fetch` would mend. */
export const openWire = (baseUrl: string): Wire => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(baseUrl)
  const send = ({ method, path, headers: given = {}, body }: Sent) =>
    new Promise<Received>((resolve, reject) => {
      // Node leaves it out of a DELETE, whose body would then be taken for the next request.
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const headers = { ...length, ...given }
      const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: read(incoming.headers),
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}

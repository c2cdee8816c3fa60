import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What is wrong with a deployment: it takes over a request, or returns false. */
export type Fault = (
  call: string,
  response: ServerResponse,
  /** Sends the request on; returns what the service answered. */
  forward: () => Promise<Response>,
) => boolean | Promise<boolean>

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const forwarded = /^(authorization|content-type|x-workspace-id|idempotency-key|if-match|if-none-match)$/

/** A deployment with a fault, before a service that has none. */
export const startProxy = async (target: string, fault: Fault) => {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const body = await bodyOf(request)
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && forwarded.test(name) ? [[name, value]] : [],
    )
    const forward = () =>
      fetch(target + url, { method, headers, redirect: 'manual', ...(body.length > 0 ? { body } : {}) })
    if (await fault(`${method} ${url}`, response, forward)) return
    const answer = await forward()
    const sent = [...answer.headers].filter(([name]) => !/^(content-encoding|transfer-encoding|connection)$/.test(name))
    const text = await answer.text()
    response.writeHead(answer.status, { ...Object.fromEntries(sent), 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

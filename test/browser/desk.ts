import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where an assistant runs: it serves its metadata document, and the browser comes back to it. */
export const openDesk = async () => {
  let returned: URL | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', origin)
    if (url.pathname === '/client.json') {
      const document = { client_id: url.href, client_name: 'Documented', redirect_uris: [`${origin}/callback`] }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    }
    if (url.pathname === '/callback') returned = url
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>You can go back</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    callback: `${origin}/callback`,
    document: `${origin}/client.json`,
    /** The redirect of the browser since the last call. Throws if there was none. */
    takeReturned(): URL {
      if (returned === undefined) throw new Error('the browser did not come back to the assistant')
      const url = returned
      returned = undefined
      return url
    },
    close: () => server.close(),
  }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

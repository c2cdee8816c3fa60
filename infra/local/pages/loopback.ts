import type { IncomingMessage, RequestListener } from 'node:http'

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Whether a request was meant for this machine. */
export const namesThisMachine = ({ headers }: IncomingMessage): boolean => loopback.test(headers.host ?? '')

/**
 * Whether a page of another site sent a request that changes something. Browsers say so in headers that no page can set
 * (Fetch Metadata Request Headers, W3C Working Draft, Sec-Fetch-Site; before 2023, Origin); programs send neither.
 */
const isOfAnotherSite = ({ method, headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): boolean => {
  if (method === 'GET' || method === 'HEAD') return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && origin !== `http://${host}`
}

/**
 * Responds only to requests that name this machine, and changes nothing for pages of other sites. A site whose name resolves
 * to this machine (DNS rebinding) sends its name in Host: without this check, its scripts could read emails and links to set
 * a password.
 */
export const onlyLoopback =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const refuse = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    if (!namesThisMachine(request)) refuse(421, 'Open this page as http://127.0.0.1 or http://localhost.')
    else if (isOfAnotherSite(request))
      refuse(403, 'This was sent by a page of another site. Open the page here and send it again.')
    else listener(request, response)
  }

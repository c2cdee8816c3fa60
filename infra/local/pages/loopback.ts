import type { IncomingMessage, RequestListener } from 'node:http'

const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Whether a request was meant for this machine. */
export const namesThisMachine = ({ headers }: IncomingMessage): boolean => loopback.test(headers.host ?? '')

/**
 * Answers only requests that name this machine. A site whose name leads here (DNS rebinding) has its own name in Host:
 * without this, its scripts could read mails and links to set a password.
 */
export const onlyLoopback =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (namesThisMachine(request)) return listener(request, response)
    response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('Open this page as http://127.0.0.1 or http://localhost.')
  }

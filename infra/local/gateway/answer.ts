import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** A response of the gateway, whatever its source. */
export interface GatewayAnswer {
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
}

export const sendAnswer = (outgoing: ServerResponse, { status, headers, body }: GatewayAnswer): void => {
  // 304 has no content, and therefore no length.
  outgoing.writeHead(status, status === 304 ? headers : { ...headers, 'Content-Length': body.length })
  outgoing.end(body)
}

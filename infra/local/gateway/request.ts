import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A request as received by the gateway: header names as sent, nothing decoded yet. */
export interface GatewayRequest {
  id: string
  /** The address of the gateway. */
  baseUrl: string
  method: string
  /** Path without the query, percent-encoded as received. */
  path: string
  query: URLSearchParams
  /** In the order sent; a name may come more than once. */
  headers: readonly (readonly [name: string, value: string])[]
  /** The remote address of the connection, or the client that a trusted proxy names. */
  sourceIp: string
  body: Buffer
}

/** An extended request id in the form of API Gateway. */
export const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`

export const readRequest = (
  baseUrl: string,
  incoming: IncomingMessage,
  sourceIp: string,
  body: Buffer,
): GatewayRequest => {
  const { rawHeaders, method = 'GET', url = '/' } = incoming
  const [path = '/', ...query] = url.split('?')
  const headers: (readonly [string, string])[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return {
    id: newRequestId(),
    baseUrl,
    method,
    path,
    query: new URLSearchParams(query.join('?')),
    headers,
    sourceIp,
    body,
  }
}

/** The last value of a header, whatever the letter case of its name. */
export const headerOf = (request: GatewayRequest, name: string): string | undefined =>
  request.headers.findLast(([sent]) => sent.toLowerCase() === name.toLowerCase())?.[1]

import type { IncomingHttpHeaders } from 'node:http'

/** A request of an AWS protocol that is JSON, as its guard and its engine see it. */
export interface JsonRequest {
  method: string
  /** Path without the query, still percent-encoded. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The body as it was sent. */
  text: string
  /** The parsed JSON body; undefined when there was none. */
  body: unknown
  /** Whether it comes from this process without a socket, and needs no signature. */
  isInProcess: boolean
  /** Aborts when the client disconnects before it has its response. */
  gone: AbortSignal
}

export interface JsonAnswer {
  status: number
  headers?: Record<string, string>
  body: unknown
  /** Over a socket: closes the connection instead of responding, or leaves the client waiting. */
  trouble?: 'reset' | 'hang'
}

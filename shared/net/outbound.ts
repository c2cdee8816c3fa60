export interface OutboundRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array | StreamedBody
  /** From the call of `send` to the last byte of the response, including DNS, connect, TLS, and body. */
  totalMs: number
  /** Until the connection can carry the request: DNS, connect, and TLS. */
  connectMs?: number
  /** From the request to the head of its response. */
  firstByteMs?: number
  /** One limit for each stage; there is no lookup for an IP address, and no stage for a reused connection. */
  stagesMs?: { dns: number; connect: number; tls: number }
  /** A longer response is cut here and marked `truncated`. */
  maxBytes: number
  /**
   * Reads the body of a response with status 200 while it arrives, for files too large for memory. A longer body fails with
   * `body_too_large`.
   */
  receive?: (body: AsyncIterable<Uint8Array>, headers: OutboundResponse['headers']) => Promise<void>
  /** Set for every URL from a user: it may then lead only to the public internet. */
  guard?: OutboundGuard
}

/** A body too large for memory: its length is known first, its chunks are fetched once the connection is ready. */
export interface StreamedBody {
  bytes: number
  open(): AsyncIterable<Uint8Array>
}

export interface OutboundGuard {
  /** Origins that are not checked, such as the local inbox. */
  allowedOrigins: readonly string[]
  /** Resolves a host name to all its IP addresses; queries the name servers by default. */
  resolve?: (host: string) => Promise<readonly string[]>
}

export interface OutboundResponse {
  status: number
  /** By lowercase name. */
  headers: Record<string, string>
  body: Uint8Array
  truncated: boolean
}

/** `body_too_large` is for callers that cannot use a truncated response; `send` itself only cuts it. */
export type OutboundCode =
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'body_too_large'
  | 'bad_address'

/**
 * There is no complete response. `sent` says whether the other side may have seen the request: if false, a repeat is
 * safe.
 */
export class OutboundError extends Error {
  readonly code: OutboundCode
  readonly sent: boolean

  constructor(code: OutboundCode, sent: boolean, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.code = code
    this.sent = sent
  }
}

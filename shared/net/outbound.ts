export interface OutboundRequest {
  url: string
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array | StreamedBody
  /** From the call of `send` to the last byte of the answer: DNS, connect, TLS and body included. */
  totalMs: number
  /** Until the connection is ready to carry the request: DNS, connect and TLS. */
  connectMs?: number
  /** Each of the three for itself; a name is not looked up for an address in digits, or for a connection that stands. */
  stagesMs?: { dns: number; connect: number; tls: number }
  /** What is longer is cut here and marked `truncated`. */
  maxBytes: number
  /** Set for every address that a user gave: it may then lead to the public internet only. */
  guard?: OutboundGuard
}

/** A body too large for memory: its length is told first, its chunks are fetched when the connection stands. */
export interface StreamedBody {
  bytes: number
  open(): AsyncIterable<Uint8Array>
}

export interface OutboundGuard {
  /** Origins that pass unchecked, such as the local inbox. */
  allowedOrigins: readonly string[]
  /** Every IP address of a host name; asked of the name servers when absent. */
  resolve?: (host: string) => Promise<readonly string[]>
}

export interface OutboundResponse {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Uint8Array
  truncated: boolean
}

/** `body_too_large` is for callers that cannot use a truncated answer; `send` itself only cuts it. */
export type OutboundCode =
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'body_too_large'
  | 'bad_address'

/** No whole answer came. `sent` tells whether the other side may have seen the request: if false, repeating it is safe. */
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

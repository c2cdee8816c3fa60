import type { RateLimit } from './rate-limit.ts'
import type { RetryPolicy } from './retry.ts'

/** Returns the token of a call. `rejected` is the token that the service has just rejected with 401. */
export type TokenSource = (rejected?: string) => string | Promise<string>

export interface ClientOptions {
  /** The address of the service, for example `https://api.example.com`. */
  baseUrl: string
  /**
   * A personal access token, a session token, or a function that returns one. After a 401, the function is called once
   * more; the request is repeated if it returns another token.
   */
  token?: string | TokenSource | undefined
  /** The workspace to act in, `ws_…`. */
  workspaceId?: string | undefined
  /** The timeout of one attempt, including its response: 30 seconds by default. */
  timeoutMs?: number | undefined
  /** When and how long to retry. */
  retries?: Partial<RetryPolicy> | undefined
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its retries, and its waits. */
  signal?: AbortSignal | undefined
  /** The timeout of one attempt. */
  timeoutMs?: number | undefined
  /** The most attempts after the first one; 0 for none. */
  maxRetries?: number | undefined
  /** Your own key. Without it, each call that creates something gets a random one, the same for all its attempts. */
  idempotencyKey?: string | undefined
  /** Change the object only if its `ETag` is this one. */
  ifMatch?: string | undefined
  /** Your own ID for the request, which appears in the logs of the service. */
  requestId?: string | undefined
  /** Replaces the client's workspace. */
  workspaceId?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A response: its data, and what its headers say. */
export interface Result<T> {
  data: T
  status: number
  /** The ID of the request in the logs of the service. */
  requestId: string | null
  rateLimit: RateLimit | null
  /** Whether this is the first response to the same Idempotency-Key again. */
  replayed: boolean
  etag: string | null
  headers: Headers
  /** How often the request was sent. */
  attempts: number
}

/** A call in flight: a promise of the data. */
export interface ApiCall<T> extends Promise<T> {
  /** The data together with status, request ID, rate limit, and headers. */
  withResponse(): Promise<Result<T>>
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[]
  hasMore: boolean
  nextCursor?: string | null | undefined
}

/** A list: one page of it, or all of it. */
export interface ListCall<Args extends unknown[], P extends Page<unknown>> {
  (...args: Args): ApiCall<P>
  /** Every item, page after page: `for await (const item of list.all())`. */
  all(...args: Args): AsyncGenerator<P['items'][number], void, undefined>
  /** Every page. */
  pages(...args: Args): AsyncGenerator<P, void, undefined>
}

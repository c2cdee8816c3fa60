import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { Key } from '../db/table.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { LimitName } from '../limits/limits.ts'
import type { Need } from '../resources.ts'

/** Who may call, as far as the request plumbing needs it: `anyone` needs no token (access/access.ts has the rest). */
interface AnyAccess {
  kind: string
}

/**
 * Whether a route answers HEAD like its GET. It does not if a GET without a token changes something, like the link in an
 * email.
 */
export const answersHead = ({ method, access, needs }: Pick<Contract, 'method' | 'access' | 'needs'>): boolean =>
  method === 'GET' && !(access.kind === 'anyone' && needs.includes('table:write'))

/** The request before authorization: enough to name the rows that it will need. */
export interface PrefetchInput<P, Q, B> {
  ctx: Context
  /** Empty on a route without a workspace. */
  workspaceId: string
  params: P
  query: Q
  body: B
}

/** A body that is not JSON. */
export interface BinaryBody {
  bytes: Uint8Array
  /** Its content type, without parameters. */
  type: string
}

/** One endpoint as data, read by the route table, CDK, OpenAPI, the client, and the tests. */
export interface Contract<A extends AnyAccess = AnyAccess, P = unknown, Q = unknown, B = unknown, D = unknown> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to /api; the pages for people are outside it. */
  path: `/${string}`
  summary: string
  /** More text for the API reference. */
  description?: string
  access: A
  params?: z.ZodMiniType<P>
  query?: z.ZodMiniType<Q>
  body?: z.ZodMiniType<B>
  /** Bodies of these content types are accepted instead of JSON; the handler finds them in `binary`. */
  binary?: { types: readonly string[]; maxBytes: number }
  /** The maximum size of a JSON body in bytes, instead of 1 MiB; `instead` is a sentence about what to do with a larger one. */
  largeBody?: { maxBytes: number; instead: string }
  /** The body is optional. */
  bodyOptional?: boolean
  /** 202: accepted, and done after the response. */
  status: 200 | 201 | 202 | 303
  /**
   * The schema of `data`. Responses are parsed with it, so that no other field is sent. Undefined for a raw response.
   */
  data?: z.ZodMiniType<D>
  /** The ETag of the response; a change can require it with If-Match. */
  etag?(data: NoInfer<D>): string
  /** The route's own error codes; those of its access, input, idempotency, and limits are added (infra/openapi). */
  errors: readonly ErrorCode[]
  needs: readonly Need[]
  /** The rate limit that a call counts against, `general` by default; `none` for calls that cost nothing. */
  limit?: LimitName | 'none'
  /** A call that ends with one of these codes is returned to its caller: it does not count against the limit. */
  uncounted?: readonly ErrorCode[]
  /** The memory of the function, and with it its share of a vCPU; `defaultMemoryMb` by default. */
  memoryMb?: number
  /** Rows to fetch in the read that also authorizes; a found row proves nothing before authorization. */
  prefetch?(known: PrefetchInput<NoInfer<P>, NoInfer<Q>, NoInfer<B>>): readonly Key[]
  /** A repeat with the same Idempotency-Key returns the first response, as of a POST that returns 201 or 202. */
  idempotent?: true
  /** The response contains a secret that is shown once: it is never stored for a repeat. */
  secret?: boolean
}

import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { Key } from '../db/table.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { LimitName } from '../limits/limits.ts'
import type { Need } from '../resources.ts'

/** Who may call, as far as a request is read and answered: `anyone` without a token (access/access.ts has the rest). */
interface AnyAccess {
  kind: string
}

/** Whether a route answers HEAD as its GET; not where a GET by anybody changes something, as the link of a mail does. */
export const answersHead = ({ method, access, needs }: Pick<Contract, 'method' | 'access' | 'needs'>): boolean =>
  method === 'GET' && !(access.kind === 'anyone' && needs.includes('table:write'))

/** What is known of a request before anyone is authorized: enough to name the rows it will need. */
export interface PrefetchInput<P, Q, B> {
  ctx: Context
  workspaceId: string
  params: P
  query: Q
  body: B
}

/** One endpoint as data: everything the route table, CDK, OpenAPI, the client and the tests read. */
export interface Contract<A extends AnyAccess = AnyAccess, P = unknown, Q = unknown, B = unknown, D = unknown> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api; pages for people lie beside it. */
  path: `/${string}`
  summary: string
  /** Longer text for the reference page. */
  description?: string
  access: A
  params?: z.ZodMiniType<P>
  query?: z.ZodMiniType<Q>
  body?: z.ZodMiniType<B>
  /** A body may be left out altogether. */
  bodyOptional?: boolean
  /** 202: it is taken on, and done behind the answer. */
  status: 200 | 201 | 202 | 303
  /** The shape of `data`; answers are parsed with it, so nothing else can leave. Undefined where the route answers raw. */
  data?: z.ZodMiniType<D>
  /** The tag of what is answered, for the header ETag; a change may then be bound to it by If-Match. */
  etag?(data: NoInfer<D>): string
  /** The error codes of this route's own; those of its access, input, repetition, and limits follow (infra/openapi). */
  errors: readonly ErrorCode[]
  needs: readonly Need[]
  /** The rate limit that a call counts against, `general` where it is left out; `none` for what costs us nothing. */
  limit?: LimitName | 'none'
  /** The memory of the function, and with it its share of a processor; `defaultMemoryMb` where it is left out. */
  memoryMb?: number
  /** Rows to fetch in the one read that also authorizes; a found row proves nothing until then. */
  prefetch?: (known: PrefetchInput<P, Q, B>) => readonly Key[]
  /** The answer holds a secret shown once: it is never stored for replay. */
  secret?: boolean
}

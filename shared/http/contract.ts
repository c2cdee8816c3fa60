import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { BatchRows, Key } from '../db/table.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { Session } from '../identity/session.ts'
import type { LimitName } from '../limits/limits.ts'
import type { Need } from '../resources.ts'
import type { Member, Role } from '../workspaces/member.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { IdempotencyWrites } from './idempotency-writes.ts'

/** The scopes of a personal access token (spec, Authentication 5). */
export const scopes = [
  'workspace:read',
  'workspace:write',
  'posts:read',
  'posts:schedule',
  'posts:publish',
  'posts:delete',
  'drafts:write',
  'media:read',
  'media:write',
  'memory:read',
  'memory:write',
] as const

export type Scope = (typeof scopes)[number]

/** Who may call: without a token; a session or scoped token without a workspace; or inside one workspace. */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'person'; scope: Scope | null }
  | { kind: 'workspace'; scope: Scope | null; role: Role; plan: boolean }

export const anyone = { kind: 'anyone' } as const
/** A session only, no workspace. */
export const session = { kind: 'person', scope: null } as const
/** A session or a token with the scope, no workspace. */
export const personScope = (scope: Scope) => ({ kind: 'person', scope }) as const
/** A session or a token with the scope, inside a workspace with a plan. */
export const scope = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'member', plan: true }) as const
/** The same where an unpaid workspace may be seen. */
export const scopeUnpaid = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'member', plan: false }) as const
/** A session or a token with the scope, of an owner or admin, inside a workspace with a plan. */
export const scopeAdmin = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'admin', plan: true }) as const
/** A session of a member, inside a workspace with a plan. */
export const workspaceSession = { kind: 'workspace', scope: null, role: 'member', plan: true } as const
/** A session of an owner or admin, inside a workspace with a plan. */
export const workspaceAdmin = { kind: 'workspace', scope: null, role: 'admin', plan: true } as const
/** A session of a member, an admin or the owner, inside a workspace with or without a plan. */
export const workspaceSessionUnpaid = { kind: 'workspace', scope: null, role: 'member', plan: false } as const
export const workspaceAdminUnpaid = { kind: 'workspace', scope: null, role: 'admin', plan: false } as const
export const workspaceOwnerUnpaid = { kind: 'workspace', scope: null, role: 'owner', plan: false } as const

/** Who calls: a person by session, or by a personal access token bound to one workspace. */
export type Principal =
  | { kind: 'session'; userId: string; session: Session }
  | { kind: 'pat'; userId: string; tokenId: string; workspaceId: string; scopes: readonly (Scope | '*')[] }

/** Whether a route answers HEAD as its GET; not where a GET by anybody changes something, as the link of a mail does. */
export const answersHead = ({ method, access, needs }: Pick<Contract, 'method' | 'access' | 'needs'>): boolean =>
  method === 'GET' && !(access.kind === 'anyone' && needs.includes('table:write'))

/** What a handler is called with; `workspace` and `principal` exist where the access demands them. */
export type Call<A extends Access, P, Q, B> = {
  ctx: Context
  params: P
  query: Q
  body: B
  /** Rows the route asked for with `prefetch`, fetched together with the authorization. */
  prefetched: BatchRows
  /** The write that remembers the answer of a creating call for its Idempotency-Key; none where no key came. */
  idempotencyWrites: IdempotencyWrites
  request: { id: string; ip: string; userAgent: string; ifMatch: string | undefined; cookies: string | undefined }
} & (A extends { kind: 'anyone' } ? unknown : { principal: Principal }) &
  (A extends { kind: 'workspace' } ? { workspace: Workspace; member: Member } : unknown)

/** What is known of a request before anyone is authorized: enough to name the rows it will need. */
export interface Known<P, Q, B> {
  ctx: Context
  workspaceId: string
  params: P
  query: Q
  body: B
}

/** One endpoint as data: everything the route table, CDK, OpenAPI, the client and the tests read. */
export interface Contract<A extends Access = Access, P = unknown, Q = unknown, B = unknown, D = unknown> {
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
  /** The rate limit it counts against, where that does not follow from its path; `none` for what costs us nothing. */
  limit?: LimitName | 'none'
  /** Rows to fetch in the one read that also authorizes; a found row proves nothing until then. */
  prefetch?: (known: Known<P, Q, B>) => readonly Key[]
  /** The answer holds a secret shown once: it is never stored for replay. */
  secret?: boolean
}

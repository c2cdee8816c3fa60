import type { Context } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import type { IdempotencyWrites } from '../http/idempotency-writes.ts'
import type { Member } from '../workspaces/member.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'

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

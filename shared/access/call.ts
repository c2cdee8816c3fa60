import type { Context } from '../context.ts'
import type { BatchRows } from '../db/table.ts'
import type { BinaryBody } from '../http/contract.ts'
import type { Member } from '../workspaces/member.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'

/** What a handler receives; `workspace` and `principal` exist if the access requires them. */
export type Call<A extends Access, P, Q, B> = {
  ctx: Context
  params: P
  query: Q
  body: B
  /** The body, if it is not JSON (`binary` of the contract). */
  binary: BinaryBody | undefined
  /** Rows that the route names in `prefetch`, read together with the authorization. */
  prefetched: BatchRows
  request: {
    id: string
    ip: string
    userAgent: string
    ifMatch: string | undefined
    cookies: string | undefined
    /** The body as it was sent, for a sender who signs its bytes. */
    rawBody: string
    contentType: string
    /** Any header, for a protocol that is not our own. */
    header(name: string): string | undefined
    stripeSignature: string | undefined
  }
} & (A extends { kind: 'anyone' } ? unknown : { principal: Principal }) &
  (A extends { kind: 'workspace' } ? { workspace: Workspace; member: Member } : unknown)

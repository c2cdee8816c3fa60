import type { Scope } from '../identity/scope.ts'
import type { Session } from '../identity/session.ts'
import type { Role } from '../workspaces/workspace.ts'

/**
 * Who may call: without a token; a session or scoped token without a workspace; or inside one workspace. A token with
 * `orScope` can call as well. The token of an application can call everything inside its child workspaces, and only
 * operations with `application` inside its own workspace.
 */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'person'; scope: Scope | null }
  | { kind: 'workspace'; scope: Scope | null; orScope?: Scope; role: Role; plan: boolean; application?: true }

export const anyone = { kind: 'anyone' } as const
/** A session, without a workspace. */
export const session = { kind: 'person', scope: null } as const
/** A session, or a token with the scope, without a workspace. */
export const personScope = (scope: Scope) => ({ kind: 'person', scope }) as const
/** A session, or a token with the scope, inside a workspace with a plan. */
export const scope = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'member', plan: true }) as const
/** A session, or a token with one of two scopes, inside a workspace with a plan. */
export const eitherScope = (name: Scope, orScope: Scope) => ({ ...scope(name), orScope }) as const
/** A session, or a token with the scope, inside a workspace with or without a plan. */
export const scopeUnpaid = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'member', plan: false }) as const
/** A session, or a token with the scope, of an owner or admin, inside a workspace with a plan. */
export const scopeAdmin = (name: Scope) => ({ kind: 'workspace', scope: name, role: 'admin', plan: true }) as const
/** A session of a member, inside a workspace with a plan. */
export const workspaceSession = { kind: 'workspace', scope: null, role: 'member', plan: true } as const
/** A session of an owner or admin, inside a workspace with a plan. */
export const workspaceAdmin = { kind: 'workspace', scope: null, role: 'admin', plan: true } as const
/** A session of a member, inside a workspace with or without a plan. */
export const workspaceSessionUnpaid = { kind: 'workspace', scope: null, role: 'member', plan: false } as const
/** A session of the owner, inside a workspace with a plan. */
export const workspaceOwner = { kind: 'workspace', scope: null, role: 'owner', plan: true } as const
/** An access that the application of the workspace has as well. */
export const orApplication = <A extends Extract<Access, { kind: 'workspace' }>>(access: A) =>
  ({ ...access, application: true }) as const
export const workspaceAdminUnpaid = { kind: 'workspace', scope: null, role: 'admin', plan: false } as const
export const workspaceOwnerUnpaid = { kind: 'workspace', scope: null, role: 'owner', plan: false } as const

/**
 * Who calls: a person by session, or by a personal access token that is bound to one workspace, or an assistant by the
 * connection that a person has allowed in one workspace, or an application, which owns its child workspaces as a person
 * owns theirs: `userId` is its ID, and `workspaceId` the workspace that it belongs to.
 */
export type Principal =
  | { kind: 'session'; userId: string; session: Session }
  | { kind: 'pat'; userId: string; tokenId: string; workspaceId: string; scopes: readonly (Scope | '*')[] }
  | { kind: 'assistant'; userId: string; connectionId: string; workspaceId: string; scopes: readonly Scope[] }
  | { kind: 'application'; userId: string; tokenId: string; workspaceId: string }

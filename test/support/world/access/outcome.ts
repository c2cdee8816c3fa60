import type { Rule } from './rule.ts'

/** A workspace as the header can name it. */
export interface TestWorkspace {
  id: string
  paid: boolean
}

/** The properties of a caller that decide about access. */
export interface Caller {
  name: string
  token: string | undefined
  /** Undefined if the token is invalid. */
  person:
    | {
        /** Their memberships by workspace. */
        roles: ReadonlyMap<string, 'owner' | 'admin' | 'member'>
        suspended: boolean
        /** What a personal access token is limited to; undefined for a session. */
        limits: { workspaceId: string; scopes: readonly string[] } | undefined
      }
    | undefined
}

/** The result of the access check: past it, or a status with its code. */
export type Outcome = 'past' | `${number} ${string}`

/** The roles that satisfy a minimum role. */
const mayBe = { member: ['member', 'admin', 'owner'], admin: ['admin', 'owner'], owner: ['owner'] }

const scopeOutcome = ({ scope, orScope }: Rule, scopes: readonly string[] | undefined): Outcome => {
  if (scopes === undefined) return 'past'
  if (scope === null) return '403 session_required'
  return scopes.some((granted) => granted === '*' || granted === scope || granted === orScope)
    ? 'past'
    : '403 insufficient_scope'
}

/**
 * The expected outcome of a call, in the order of checks (specification, Authentication and Errors): 401 token, 400 header,
 * 403 workspace and membership, 403 suspension, 403 scope, 403 role, 402 plan.
 */
export const outcomeOf = (rule: Rule, { person }: Caller, header: TestWorkspace | undefined): Outcome => {
  if (rule.scope === 'public') return 'past'
  if (person === undefined) return '401 unauthenticated'
  const { roles, suspended, limits } = person
  const byScope = scopeOutcome(rule, limits?.scopes)
  if (!rule.workspace) return byScope
  if (header === undefined) return '400 workspace_required'
  const role = roles.get(header.id)
  const elsewhere = limits !== undefined && limits.workspaceId !== header.id
  if (elsewhere || role === undefined) return '403 not_a_member'
  if (suspended) return '403 membership_suspended'
  if (byScope !== 'past') return byScope
  if (!mayBe[rule.role].includes(role)) return '403 insufficient_role'
  return rule.plan && !header.paid ? '402 subscription_required' : 'past'
}

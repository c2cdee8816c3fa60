import type { Rule } from './rule.ts'

/** A workspace as the header can name it. */
export interface Place {
  id: string
  paid: boolean
}

/** Who calls, as far as it decides what they may. */
export interface Caller {
  name: string
  token: string | undefined
  /** Undefined where the token is good for nothing. */
  person:
    | {
        /** Their places by workspace. */
        roles: ReadonlyMap<string, 'owner' | 'admin' | 'member'>
        suspended: boolean
        /** What a personal access token is limited to; undefined for a session. */
        limits: { workspaceId: string; scopes: readonly string[] } | undefined
      }
    | undefined
}

/** What a gate says: past it, or a status with its code. */
export type Verdict = 'past' | `${number} ${string}`

/** Who may where a role is the least. */
const mayBe = { member: ['member', 'admin', 'owner'], admin: ['admin', 'owner'], owner: ['owner'] }

const scopeVerdict = ({ scope }: Rule, scopes: readonly string[] | undefined): Verdict => {
  if (scopes === undefined) return 'past'
  if (scope === null) return '403 session_required'
  return scopes.includes('*') || scopes.includes(scope) ? 'past' : '403 insufficient_scope'
}

/**
 * What must come of a call (specification, Authentication and Errors; design, order of refusals): 401 token, 400 header,
 * 403 workspace and membership, 403 suspension, 403 scope, 403 role, 402 plan.
 */
export const verdictOf = (rule: Rule, { person }: Caller, header: Place | undefined): Verdict => {
  if (rule.scope === 'public') return 'past'
  if (person === undefined) return '401 unauthenticated'
  const { roles, suspended, limits } = person
  const byScope = scopeVerdict(rule, limits?.scopes)
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

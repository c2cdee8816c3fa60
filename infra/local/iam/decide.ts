import type { Access, Principal, RequestContext } from './access.ts'
import type { Statement } from './statement.ts'

/** The policies that are about a request. */
export interface Policies {
  /** Of the principal. */
  identity: readonly Statement[]
  /** Of the resource. */
  resource: readonly Statement[]
  /** KMS and the trust of roles: the policy of the resource must allow, by itself or by naming the account. */
  resourceMustAllow: boolean
}

export type Decision = { allowed: true } | { allowed: false; because: string }

const allowed: Decision = { allowed: true }

const denied = (because: string): Decision => ({ allowed: false, because })

/**
 * Decides as IAM does within one account: an explicit deny, then an allow, then the implicit deny (IAM guide, "Policy
 * evaluation logic").
 */
export const decide = (
  principal: Principal,
  access: Access,
  context: RequestContext,
  { identity, resource, resourceMustAllow }: Policies,
): Decision => {
  const covering = (statements: readonly Statement[], effect: Statement['effect']) =>
    statements.filter((statement) => statement.effect === effect && statement.covers(access, context))
  const { action } = access
  const denies = covering(resource, 'Deny').some((statement) => statement.names(principal) !== undefined)
  if (denies) return denied('with an explicit deny in a resource-based policy')
  if (covering(identity, 'Deny').length > 0) return denied('with an explicit deny in an identity-based policy')
  const namings = covering(resource, 'Allow').map((statement) => statement.names(principal))
  if (namings.includes('itself')) return allowed
  const mayBeAllowed = !resourceMustAllow || namings.includes('account')
  if (mayBeAllowed && covering(identity, 'Allow').length > 0) return allowed
  const kind = resourceMustAllow && !mayBeAllowed ? 'resource-based' : 'identity-based'
  return denied(
    `because no ${principal.kind === 'service' ? 'resource-based' : kind} policy allows the ${action} action`,
  )
}

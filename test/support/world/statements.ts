import type { Access, Principal } from '../../../infra/local/iam/access.ts'
import type { AccountPolicies } from '../../../infra/local/iam/account-policies.ts'
import { type Decided, makeAuthority } from '../../../infra/local/iam/authority.ts'
import type { Role } from '../../../infra/local/iam/roles.ts'
import type { Statement } from '../../../infra/local/iam/statement.ts'

interface Taken {
  roleArn: string
  principal: Principal & { kind: 'role' }
  access: Access
}

/** Keeps every access that a role was allowed, once. */
export const recordAccesses = () => {
  const taken = new Map<string, Taken>()
  return {
    see({ principal, access, decision }: Decided) {
      if (!decision.allowed || principal.kind !== 'role') return
      const { roleArn } = principal
      taken.set(JSON.stringify([roleArn, access]), { roleArn, principal, access })
    },
    of: (roleArn: string) => [...taken.values()].filter((right) => right.roleArn === roleArn),
    ofFunction: (functionName: string) =>
      [...taken.values()]
        .filter(({ principal }) => principal.arn.endsWith(`/${functionName}`))
        .map(({ access }) => access),
    roles: () => [...new Set([...taken.values()].map(({ roleArn }) => roleArn))],
  }
}

type Accesses = ReturnType<typeof recordAccesses>

/** One right of a role: an action of one of its statements, on one of the resources of that statement. */
export interface RoleRight {
  role: string
  statement: number
  action: string
  resource: string
  /** Whether an access that was made is denied without it. */
  isNeeded: boolean
}

const administrator = { accessKeyId: 'administrator', secretAccessKey: '' }

/** The policies of an account with other statements of one role. */
const withStatements = (policies: AccountPolicies, role: Role, statements: readonly Statement[]): AccountPolicies => ({
  ...policies,
  functions: new Map(),
  roles: new Map([[role.arn, { ...role, statements }]]),
})

const isDenied = (policies: AccountPolicies, accesses: Accesses, role: Role, statements: readonly Statement[]) => {
  const authority = makeAuthority(withStatements(policies, role, statements), { administrator })
  return accesses.of(role.arn).some(({ principal, access }) => authority.refusal(principal, [access]) !== undefined)
}

/** A statement that no longer covers one action on one resource. */
const without = (statement: Statement, action: string, resource: string): Statement => ({
  ...statement,
  covers: (access, context) => {
    if (!statement.covers(access, context)) return false
    if (access.action !== action) return true
    const others = statement.resources.filter((candidate) => candidate !== resource)
    return statement.only(others).covers(access, context)
  },
})

/** Removes every right of every role, one at a time, and repeats everything that was done. */
export const removeRights = (policies: AccountPolicies, accesses: Accesses): RoleRight[] =>
  [...policies.roles.values()].flatMap((role) =>
    role.statements.flatMap((statement, at) =>
      statement.actions.flatMap((action) =>
        statement.resources.map((resource) => {
          const others = role.statements.toSpliced(at, 1, without(statement, action, resource))
          const isNeeded = isDenied(policies, accesses, role, others)
          return { role: role.name, statement: at, action, resource, isNeeded }
        }),
      ),
    ),
  )

/** Removes every statement of every role, one at a time. */
export const removeStatements = (policies: AccountPolicies, accesses: Accesses) =>
  [...policies.roles.values()].flatMap((role) =>
    role.statements.map(({ actions, resources }, at) => ({
      statement: `${role.name}: ${actions.join(', ')} on ${resources.join(', ')}`,
      isNeeded: isDenied(policies, accesses, role, role.statements.toSpliced(at, 1)),
    })),
  )

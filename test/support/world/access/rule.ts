import type { Route } from '../../../../functions/routes.ts'
import { type SpecifiedRoute, routes as specified } from '../../../specification/spec/routes.mjs'

/** Who may call a route, in the words of the specification's table. */
export interface Rule extends Pick<SpecifiedRoute, 'scope' | 'workspace' | 'plan'> {
  /** The least role; the specification knows no route of owners alone, we do. */
  role: 'owner' | 'admin' | 'member'
  /** A scope beyond the specification that is enough as well. */
  orScope: string | undefined
}

/** What the specification says of a route; of one that it does not name, its own contract does. */
export const ruleOf = ({ endpoint: { contract } }: Route): Rule => {
  const { method, path, access } = contract
  const known = specified.find((candidate) => candidate.method === method && candidate.path === path)
  const orScope = access.kind === 'workspace' ? access.orScope : undefined
  if (known !== undefined) return { ...known, orScope }
  return {
    orScope,
    scope: access.kind === 'anyone' ? 'public' : access.scope,
    workspace: access.kind === 'workspace',
    role: access.kind === 'workspace' ? access.role : 'member',
    plan: access.kind === 'workspace' && access.plan,
  }
}

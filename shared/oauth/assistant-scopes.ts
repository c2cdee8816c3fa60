import { type Scope, scopes } from '../identity/scope.ts'

/** Scopes that no tool needs. The consent page does not offer them. */
const unneeded: readonly Scope[] = ['workspace:write', 'media:write', 'webhooks:read']

/** The scopes that an assistant can get. */
export const assistantScopes: readonly Scope[] = scopes.filter((scope) => !unneeded.includes(scope))

import { type Scope, scopes } from '../identity/scope.ts'

/** Scopes that no tool needs: a person is not asked for them, and no assistant gets them. */
const unneeded: readonly Scope[] = ['workspace:write', 'media:write', 'webhooks:read']

/** The scopes of assistants. */
export const assistantScopes: readonly Scope[] = scopes.filter((scope) => !unneeded.includes(scope))

/** The scopes of the specification. */
const specifiedScopes = [
  'workspace:read',
  'workspace:write',
  'posts:read',
  'posts:schedule',
  'posts:publish',
  'posts:delete',
  'drafts:write',
  'media:read',
  'media:write',
  'memory:read',
  'memory:write',
] as const

/** Scopes beyond the specification: connected accounts, and the events of a workspace. */
export const extensionScopes = ['accounts:read', 'accounts:write', 'webhooks:read'] as const

/** The scopes of a personal access token. */
export const scopes = [...specifiedScopes, ...extensionScopes] as const

export type Scope = (typeof scopes)[number]

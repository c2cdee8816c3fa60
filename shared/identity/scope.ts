/** The scopes of a personal access token. */
export const scopes = [
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

export type Scope = (typeof scopes)[number]

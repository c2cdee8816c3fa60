/** Separate from its rules, which contain X's counting of texts: routes that only connect do not need that. */
export const named = {
  id: 'x',
  name: 'X',
  api: { version: '2', endsOn: null, source: 'X API v2, OpenAPI 2.168, 2026-08' },
  hosts: { auth: 'https://x.com', token: 'https://api.x.com', api: 'https://api.x.com' },
} as const

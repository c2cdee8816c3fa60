/** Apart from its rules, which carry X's counting of texts: routes that only connect do without that. */
export const named = {
  id: 'x',
  name: 'X',
  hosts: { auth: 'https://x.com', token: 'https://api.x.com', api: 'https://api.x.com' },
} as const

/** The app and the people of the Threads stand-in. */
export const threadsSeed = {
  clientId: '880000000000001',
  clientSecret: 'local-threads-client-secret',
  people: [
    { id: '26100000000000001', name: 'Demo', username: 'demo.threads' },
    { id: '26100000000000002', name: 'Second Demo', username: 'second.threads' },
  ],
} as const

export type ThreadsPerson = (typeof threadsSeed.people)[number]

export interface MastodonPerson {
  readonly id: string
  readonly name: string
  readonly username: string
}

/** The people of the Mastodon stand-in, and the domain of their names, which is not that of the server. */
export const mastodonSeed = {
  /** What people enter as their server; the local service routes each of them to the stand-in. */
  server: 'social.mastodon.test',
  domain: 'mastodon.test',
  people: [
    { id: '109300000000000001', name: 'Demo', username: 'demo' },
    { id: '109300000000000002', name: 'Second Demo', username: 'second' },
  ],
  scopes: [
    ...['profile', 'read', 'read:accounts', 'read:statuses', 'write', 'write:media', 'write:statuses'],
    ...['follow', 'push'],
  ],
} as const satisfies {
  server: string
  domain: string
  people: readonly [MastodonPerson, ...MastodonPerson[]]
  scopes: readonly string[]
}

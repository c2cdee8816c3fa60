import type { Login } from '../oauth/login.ts'

/** A Google account with its channel, or without one. */
export interface YouTubePerson extends Login {
  readonly channel: {
    readonly id: string
    readonly title: string
    readonly handle: string
    readonly uploads: string
  } | null
}

/** The people and the app of the YouTube stand-in. */
export const youtubeSeed = {
  app: { clientId: 'local-google-client.apps.test', clientSecret: 'local-google-client-secret' },
  demo: {
    id: 'google-demo',
    name: 'Demo Person',
    channel: {
      id: 'UCdemo00000000000000000',
      title: 'Demo Channel',
      handle: '@demochannel',
      uploads: 'UUdemo00000000000000000',
    },
  },
  /** Playlists of the channel. */
  playlists: ['PLdemo0000000000000000000000000001'],
  /** Has never opened YouTube. */
  bare: { id: 'google-bare', name: 'Bare Person', channel: null },
} as const satisfies Record<string, YouTubePerson | { clientId: string; clientSecret: string } | readonly string[]>

/** The channel of a person. */
export const channelOf = (person: string): YouTubePerson['channel'] =>
  [youtubeSeed.demo, youtubeSeed.bare].find(({ id }) => id === person)?.channel ?? null

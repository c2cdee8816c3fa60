import { createHash } from 'node:crypto'
import { base32 } from './ids.ts'

export interface BlueskyAccount {
  readonly did: string
  readonly handle: string
  readonly displayName: string
  /** No one can sign in to an account without one; its handle still resolves. */
  readonly appPassword: string | undefined
}

function account(handle: string, displayName: string, appPassword?: string): BlueskyAccount {
  const did = `did:plc:${base32(createHash('sha256').update(handle).digest()).slice(0, 24)}`
  return { did, handle, displayName, appPassword }
}

/** The people of the Bluesky stand-in. */
export const blueskySeed = {
  account: { ...account('demo.bsky.test', 'Demo'), appPassword: 'demo-demo-demo-demo' },
  secondAccount: { ...account('second.bsky.test', 'Second Demo'), appPassword: 'seco-seco-seco-seco' },
  thirdAccount: { ...account('third.bsky.test', 'Third Demo'), appPassword: 'thir-thir-thir-thir' },
  mentionable: account('friend.bsky.test', 'A Friend'),
} as const satisfies Record<string, BlueskyAccount>

/** The account with this handle or DID. */
export function findAccount(actor: string): BlueskyAccount | undefined {
  const name = actor.toLowerCase()
  return Object.values(blueskySeed).find((person) => person.did === name || person.handle === name)
}

/** What the account's DID resolves to: it is hosted on this server. */
export function didDocument(of: BlueskyAccount, serviceUrl: string): Record<string, unknown> {
  return {
    '@context': ['https://www.w3.org/ns/did/v1'],
    id: of.did,
    alsoKnownAs: [`at://${of.handle}`],
    verificationMethod: [],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: serviceUrl }],
  }
}

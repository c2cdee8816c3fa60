import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'

export interface NostrPerson {
  readonly name: string
  /** In hexadecimal characters, as the protocol has them. */
  readonly secretKey: string
  readonly publicKey: string
  readonly npub: string
  readonly nsec: string
}

function person(name: string): NostrPerson {
  const secret = Uint8Array.from(createHash('sha256').update(`${name}.nostr.test`).digest())
  const open = schnorr.getPublicKey(secret)
  return {
    name,
    secretKey: Buffer.from(secret).toString('hex'),
    publicKey: Buffer.from(open).toString('hex'),
    npub: bech32.encodeFromBytes('npub', open),
    nsec: bech32.encodeFromBytes('nsec', secret),
  }
}

/** The people of the Nostr stand-in, and the media server that the local service routes to the stand-in. */
export const nostrSeed = {
  mediaServer: 'https://media.nostr.test',
  people: [person('Demo'), person('Second Demo')],
} as const satisfies { mediaServer: string; people: readonly [NostrPerson, ...NostrPerson[]] }

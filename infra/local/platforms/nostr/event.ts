import { createHash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import * as z from 'zod/mini'
import { type NostrPerson, nostrSeed } from './seed.ts'

const hex = (length: number) => z.string().check(z.regex(new RegExp(`^[\\da-f]{${length}}$`)))

export const StoredEvent = z.strictObject({
  id: hex(64),
  pubkey: hex(64),
  created_at: z.int(),
  kind: z.int().check(z.minimum(0), z.maximum(65_535)),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: hex(128),
})
export type StoredEvent = z.infer<typeof StoredEvent>

const hashOf = ({ pubkey, created_at, kind, tags, content }: Omit<StoredEvent, 'id' | 'sig'>) =>
  createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
    .digest()

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** Why an event is not what its author signed; undefined if it is. */
export function forgedBecause(event: StoredEvent): string | undefined {
  const hash = hashOf(event)
  if (hash.toString('hex') !== event.id) return 'invalid: bad event id'
  const isSigned = schnorr.verify(bytes(event.sig), Uint8Array.from(hash), bytes(event.pubkey))
  return isSigned ? undefined : 'invalid: bad signature'
}

/** An event that a person writes with another app. */
export function write(
  person: NostrPerson,
  event: Pick<StoredEvent, 'created_at' | 'kind' | 'content'> & Partial<Pick<StoredEvent, 'tags'>>,
): StoredEvent {
  const unsigned = { pubkey: person.publicKey, tags: [], ...event }
  const hash = Uint8Array.from(hashOf(unsigned))
  const sig = Buffer.from(schnorr.sign(hash, bytes(person.secretKey))).toString('hex')
  return { id: Buffer.from(hash).toString('hex'), ...unsigned, sig }
}

/** The person of a public key. */
export const personOf = (publicKey: string): NostrPerson | undefined =>
  nostrSeed.people.find((person) => person.publicKey === publicKey)

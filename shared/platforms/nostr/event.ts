import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { isSignature, publicKeyOf, signHash } from './keys.ts'

/** A signed event (NIP-01, Events and signatures, 2026-07-22). */
export const SignedEvent = z.object({
  id: z.string(),
  pubkey: z.string(),
  created_at: z.int(),
  kind: z.int(),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: z.string(),
})
export type SignedEvent = z.infer<typeof SignedEvent>

export type Tag = readonly string[]

/** The kinds of events that the service reads and writes. */
export const kinds = { profile: 0, post: 1, deletion: 5, relayLogin: 22_242, upload: 24_242 } as const

const idOf = ({ pubkey, created_at, kind, tags, content }: Omit<SignedEvent, 'id' | 'sig'>): string =>
  createHash('sha256')
    .update(JSON.stringify([0, pubkey, created_at, kind, tags, content]))
    .digest('hex')

/** Signs an event; its ID is derived from its content and time, so that the same event has the same ID again. */
export const signEvent = (
  secretKey: string,
  { kind, createdAt, tags, content }: { kind: number; createdAt: number; tags: readonly Tag[]; content: string },
): SignedEvent => {
  const event = {
    pubkey: publicKeyOf(secretKey),
    created_at: createdAt,
    kind,
    tags: tags.map((tag) => [...tag]),
    content,
  }
  const id = idOf(event)
  return { ...event, id, sig: signHash(id, secretKey) }
}

/** Whether an event is what its author signed: a relay can send anything. */
export const isGenuine = (event: SignedEvent): boolean =>
  event.id === idOf(event) && isSignature(event.sig, event.id, event.pubkey)

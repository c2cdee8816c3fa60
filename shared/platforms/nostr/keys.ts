import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { base32nopad, bech32 } from '@scure/base'

const keyBytes = 32
/** Most characters of a bech32 text (NIP-19, Notes, 2026-07-22). */
const maxBech32 = 5000

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

const isHexKey = (text: string): boolean => /^[\da-f]{64}$/.test(text)

/** The prefix and the bytes of a bech32 text; undefined for any other text. */
const decoded = (text: string): { prefix: string; bytes: Uint8Array } | undefined => {
  if (text.length > maxBech32) return undefined
  try {
    return bech32.decodeToBytes(text, maxBech32)
  } catch {
    return undefined
  }
}

/** The letters of RFC 4648: the position of each is the value of five bits. Bech32 uses another alphabet for them. */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const encoded = (prefix: string, bytes: Uint8Array): string =>
  bech32.encode(
    prefix,
    [...base32nopad.encode(bytes)].map((letter) => letters.indexOf(letter)),
    maxBech32,
  )

/** A secret key as 64 hexadecimal characters, from `nsec1…` (NIP-19) or from hexadecimal; undefined for any other text. */
export const readSecretKey = (text: string): string | undefined => {
  const trimmed = text.trim()
  const read = decoded(trimmed)
  const bytes = isHexKey(trimmed.toLowerCase()) ? bytesOf(trimmed) : read?.prefix === 'nsec' ? read.bytes : undefined
  return bytes !== undefined && secp256k1.utils.isValidSecretKey(bytes) ? hexOf(bytes) : undefined
}

/** The public key of a secret key, both as 64 hexadecimal characters (BIP-340). */
export const publicKeyOf = (secretKey: string): string => hexOf(schnorr.getPublicKey(bytesOf(secretKey)))

/** The BIP-340 signature of a hash, in hexadecimal. */
export const signHash = (hash: string, secretKey: string): string =>
  hexOf(schnorr.sign(bytesOf(hash), bytesOf(secretKey)))

/** Whether a signature of a hash belongs to a public key. */
export const isSignature = (signature: string, hash: string, publicKey: string): boolean =>
  /^[\da-f]{128}$/.test(signature) &&
  isHexKey(publicKey) &&
  schnorr.verify(bytesOf(signature), bytesOf(hash), bytesOf(publicKey))

/** A public key as people read it, `npub1…`. */
export const npubOf = (publicKey: string): string => encoded('npub', bytesOf(publicKey))

/** The target of a link: an event or a person, where to find it, and the author of the event (NIP-19). */
export interface Named {
  kind: 'event' | 'person'
  id: string
  relays: readonly string[]
  author?: string
}

/** The fields of a list of types, lengths, and values. */
const fieldsOf = (bytes: Uint8Array): readonly { type: number | undefined; value: Uint8Array }[] => {
  const fields = []
  for (let at = 0; at + 2 <= bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
    fields.push({ type: bytes[at], value: bytes.subarray(at + 2, at + 2 + (bytes[at + 1] ?? 0)) })
  }
  return fields
}

const types = { id: 0, relay: 1, author: 2, kind: 3 }

const kinds: Readonly<Record<string, Named['kind']>> = {
  note: 'event',
  nevent: 'event',
  npub: 'person',
  nprofile: 'person',
}

/** Reads `npub`, `nprofile`, `note`, or `nevent`; undefined if the text is none of them. */
export const readLink = (text: string): Named | undefined => {
  const read = decoded(text)
  const kind = read && kinds[read.prefix]
  if (read === undefined || kind === undefined) return undefined
  const isBare = read.prefix === 'note' || read.prefix === 'npub'
  const fields = isBare ? [{ type: types.id, value: read.bytes }] : fieldsOf(read.bytes)
  const valuesOf = (type: number) => fields.flatMap((field) => (field.type === type ? [field.value] : []))
  const [id] = valuesOf(types.id)
  if (id?.length !== keyBytes) return undefined
  const author = valuesOf(types.author).find(({ length }) => length === keyBytes)
  const relays = valuesOf(types.relay).map((value) => Buffer.from(value).toString('latin1'))
  return { kind, id: hexOf(id), relays, ...(author === undefined ? {} : { author: hexOf(author) }) }
}

/** Reads an event that is named by `nevent`, `note`, or its ID, also after `nostr:` (NIP-21); undefined for any other text. */
export const readEventName = (text: string): Named | undefined => {
  const bare = text.trim().replace(/^nostr:/, '')
  if (isHexKey(bare)) return { kind: 'event', id: bare, relays: [] }
  const named = readLink(bare)
  return named?.kind === 'event' ? named : undefined
}

/** An event as links name it, `nevent1…`. */
export const neventOf = ({ id, relays, author }: Omit<Named, 'kind'>): string => {
  const field = (type: number, value: Uint8Array) => [type, value.length, ...value]
  return encoded(
    'nevent',
    Uint8Array.from([
      ...field(types.id, bytesOf(id)),
      // A length is one byte.
      ...relays
        .filter(({ length }) => length < 256)
        .flatMap((relay) => field(types.relay, Buffer.from(relay, 'latin1'))),
      ...(author === undefined ? [] : field(types.author, bytesOf(author))),
    ]),
  )
}

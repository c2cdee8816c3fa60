import { createHash } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const sortableLetters = '234567abcdefghijklmnopqrstuvwxyz'

/** RFC 4648 base32 in lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The content id of bytes: CIDv1, SHA-256, base32. Raw bytes start with `bafkrei`, records with `bafyrei`. */
export function contentId(codec: 'raw' | 'dag-cbor', bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest()
  return `b${base32(Buffer.from([1, codec === 'raw' ? 0x55 : 0x71, 0x12, 32, ...digest]))}`
}

/**
 * Like a record's ID, but over its JSON with sorted keys: the same content has the same ID, which is the only visible
 * property.
 */
export function recordId(record: unknown): string {
  return contentId('dag-cbor', Buffer.from(JSON.stringify(sortKeys(record))))
}

/** Timestamp id: microseconds since 1970 and a clock id, sortable as text (atproto.com/specs/tid). */
export function tidAt(microseconds: bigint, clockId = 0n): string {
  const number = (microseconds << 10n) | clockId
  return Array.from(
    { length: 13 },
    (_, index) => sortableLetters[Number((number >> BigInt(60 - 5 * index)) & 31n)],
  ).join('')
}

export function isTid(text: string): boolean {
  return /^[234567abcdefghij][234567a-z]{12}$/.test(text)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { sorted: entries.map(([key, inner]) => [key, sortKeys(inner)]) }
}

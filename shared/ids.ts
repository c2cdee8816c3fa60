import { createHash, randomBytes } from 'node:crypto'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const letters62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const base32 = (value: bigint, length: number) => {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = crockford[Number(rest & 31n)] + text
  return text
}

/** A 26-character ULID: 48 bits of milliseconds, 80 random bits; sorts by time (github.com/ulid/spec). */
export const ulid = (nowMs: number): string =>
  base32(BigInt(nowMs), 10) + base32(BigInt(`0x${randomBytes(10).toString('hex')}`), 16)

/** The lowest ULID of a time: all ULIDs made before it sort below. */
export const lowestUlid = (atMs: number): string => base32(BigInt(atMs), 10) + '0'.repeat(16)

/** The time at which a ULID was made, in milliseconds. */
export const msOfUlid = (id: string): number =>
  [...id.slice(0, 10)].reduce((ms, letter) => ms * 32 + crockford.indexOf(letter), 0)

/** Two Crockford characters for a number below 1,024: the position of a post in its group. */
export const pair = (index: number): string => base32(BigInt(index), 2)

/** A number as base62, left-padded with zeros to the length. */
export const base62 = (value: bigint, length: number): string => {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = letters62[Number(rest % 62n)] + text
  return text
}

/** Random base62 text without bias; 43 characters hold 256 bits. */
export const random62 = (length: number): string => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += letters62[byte % 62]
    }
  }
  return text
}

/** SHA-256 as base64url: secrets are stored only in this form. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** A stable ID derived from its parts: the same parts give the same ID in every process. */
export const stableId = (prefix: string, ...parts: readonly (string | number)[]): string =>
  `${prefix}_${base62(BigInt(`0x${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 36)}`), 25)}`

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Time-based one-time passwords with the parameters that every authenticator app supports (RFC 6238: SHA-1, 30 s, 6
 * digits).
 */
export const stepSeconds = 30
const digits = 6

/** The codes of the previous and the next step count too: for clock skew, and for codes typed in the last second. */
const tolerance = 1

/** RFC 4648, section 6. */
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => base32Letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A new secret of 160 bits in base32, to type into an app (RFC 4226, section 4, R6). */
export const newTotpSecret = (): string => toBase32(randomBytes(20))

/** The code of a step (RFC 4226, section 5.3). */
const codeOfStep = (key: Buffer, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash[hash.length - 1] ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0')
}

const stepAt = (nowMs: number) => Math.floor(nowMs / 1000 / stepSeconds)

/** The code that an app shows at a given time. */
export const totpCode = (secret: string, nowMs: number): string => codeOfStep(fromBase32(secret), stepAt(nowMs))

/** The step of a code, if it is valid now and later than the last used step; else undefined. */
export const matchingStep = (secret: string, code: string, nowMs: number, lastStep: number): number | undefined => {
  const [key, now, typed] = [fromBase32(secret), stepAt(nowMs), Buffer.from(code)]
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, n) => now - tolerance + n)
  return steps.find((step) => {
    const right = Buffer.from(codeOfStep(key, Math.max(0, step)))
    return step > lastStep && right.length === typed.length && timingSafeEqual(right, typed)
  })
}

/** The URI that an app reads from a QR code or a link (github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export const otpauthUri = (secret: string, email: string): string => {
  const issuer = 'Social Publishing'
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}

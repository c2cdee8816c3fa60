import { createHmac, randomBytes } from 'node:crypto'

export const recoveryCodeCount = 10

/** Crockford's base32 letters: none looks like another. Sixteen of them hold 80 bits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 16

const one = (): string =>
  [...randomBytes(length)]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-')

/** Ten new codes, each of the form `xxxx-xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, one)

/** The letters of a typed recovery code; undefined if it cannot be one. */
export const readRecoveryCode = (typed: string): string | undefined => {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(plain) ? plain : undefined
}

/**
 * The stored hash of a recovery code. Its key is the secret of the second factor, which is stored encrypted: the table
 * alone is not enough to try codes.
 */
export const hashRecoveryCode = (secret: string, code: string): string =>
  createHmac('sha256', secret)
    .update(`recovery\n${readRecoveryCode(code)}`)
    .digest('base64url')

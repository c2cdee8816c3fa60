import { brotliDecompressSync } from 'node:zlib'
import { Refusal } from '../errors/refusal.ts'
import { packedCommonPasswords } from './common-passwords.ts'

/** The minimum length of a password (NIST SP 800-63B, 3.1.1.2). */
export const shortestPassword = 8

/** A password in the form that is compared with common ones: letter case and Unicode composition make it no harder to guess. */
export const plainPassword = (password: string): string => password.normalize('NFKC').toLowerCase()

let unpacked: ReadonlySet<string> | undefined

/** The list, decompressed on first use. */
export const commonPasswords = (): ReadonlySet<string> => {
  unpacked ??= new Set(brotliDecompressSync(Buffer.from(packedCommonPasswords, 'base64')).toString('utf8').split('\n'))
  return unpacked
}

const service = 'socialpublishing'

/** Letters and digits only: separators between the words of a name make it little harder to guess. */
const bare = (text: string) => plainPassword(text).replace(/[^\p{L}\p{N}]/gu, '')

const refuse = (field: string, code: (typeof passwordErrors)[number], rule: string): Refusal =>
  new Refusal('invalid', `"${field}" is ${rule}. Choose another one.`, { code, field })

/** The codes that `assertStrongPassword` throws. */
export const passwordErrors = ['password_too_common', 'password_matches_account'] as const

/** The person a password is for. */
interface PasswordOwner {
  email: string
  name: string
}

/**
 * Rejects the passwords that are guessed first: the most common ones, one repeated character, and names that belong to
 * the account (NIST SP 800-63B, 3.1.1.2). Decided: there are no rules about the kinds of characters.
 */
export const assertStrongPassword = (password: string, { email, name }: PasswordOwner, field: string): void => {
  const plain = plainPassword(password)
  if (commonPasswords().has(plain) || /^(.)\1*$/su.test(plain)) {
    throw refuse(field, 'password_too_common', 'one of the most common passwords')
  }
  const [local = ''] = email.split('@')
  const names = [email, local, name, `${service}`, `${service}service`].map(bare)
  if (names.includes(bare(password))) {
    throw refuse(field, 'password_matches_account', 'your name, your email address, or the name of this service')
  }
}

import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { decryptText, encryptText } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { allOf, type Condition, equal, present } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'

const recoveryCodeCount = 10

/** Crockford's base32 letters: none looks like another. Sixteen of them hold 80 bits. */
const recoveryLetters = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryLength = 16

const newRecoveryCode = (): string =>
  [...randomBytes(recoveryLength)]
    .map((byte) => recoveryLetters[byte % recoveryLetters.length])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-')

/** Ten new codes, each of the form `xxxx-xxxx-xxxx-xxxx`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newRecoveryCode)

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

/** How many minutes an enrollment waits for its first code. */
export const enrollmentMinutes = 60

/** The second factor of an account, stored next to its credential so that a sign-in reads both in one query. */
export const TwoFactor = z.object({
  email: z.string(),
  userId: z.string(),
  status: z.enum(['pending', 'active']),
  /** The person's data key, encrypted by KMS, and the secret encrypted with it. */
  dataKey: z.string(),
  sealed: z.string(),
  /** Increases with every use and change; a write requires that it is still the version that was read. */
  version: z.number(),
  /** The step of the last used code (RFC 6238, section 5.2: each code is accepted once). */
  lastStep: z.number(),
  /** Hashes of the unused recovery codes. */
  recovery: z.array(z.string()),
  /** When an unconfirmed enrollment ends. */
  expiresAt: z.optional(z.string()),
})
export type TwoFactor = z.infer<typeof TwoFactor>

export const twoFactors = entity({
  type: 'TwoFactor',
  shape: TwoFactor,
  key: ({ email }: Pick<TwoFactor, 'email'>) => ({ PK: `EMAIL#${email}`, SK: 'TWO-FACTOR' }),
  indexes: ({ expiresAt }) => ({ ttl: expiresAt === undefined ? undefined : Math.ceil(Date.parse(expiresAt) / 1000) }),
})

const purpose = 'two-factor'
const holderOf = ({ userId: id, dataKey }: Pick<TwoFactor, 'userId' | 'dataKey'>) => ({ id, dataKey })

export const encryptSecret = (ctx: Context, holder: Pick<TwoFactor, 'userId' | 'dataKey'>, secret: string) =>
  encryptText(ctx, holderOf(holder), purpose, secret)

export const decryptSecret = (ctx: Context, factor: TwoFactor): Promise<string> =>
  decryptText(ctx, holderOf(factor), purpose, factor.sealed)

/** Requires that the factor has not changed since it was read. */
export const unchanged = ({ version, status }: TwoFactor): Condition =>
  allOf(present('PK'), equal('version', version), equal('status', status))

/** The active factor of an account; throws 409 if there is none. */
export const assertActive = (factor: TwoFactor | undefined): TwoFactor => {
  if (factor?.status === 'active') return factor
  throw new Refusal('conflict', 'This account has no second factor. Enroll one first.', {
    code: 'two_factor_not_enabled',
  })
}

/** A code as people type it: six digits from an app, or a recovery code. */
export const Code = z.string().check(z.minLength(1), z.maxLength(40))

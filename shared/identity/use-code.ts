import type { Context } from '../context.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { countProvenGuess } from '../limits/guess.ts'
import { hashedEmail } from '../security-log.ts'
import { makeNotice, type Notice } from './notice.ts'
import { matchingStep } from './totp.ts'
import {
  decryptSecret,
  hashRecoveryCode,
  readRecoveryCode,
  type TwoFactor,
  twoFactors,
  unchanged,
} from './two-factor.ts'

export const wrongCode = ({ email, userId }: Pick<TwoFactor, 'email' | 'userId'>): Refusal =>
  new Refusal('unauthenticated', 'The code is wrong or was already used. Send the one that your app shows now.', {
    code: 'invalid_two_factor_code',
    field: 'code',
    audit: { account: hashedEmail(email), userId },
  })

/** A right code: the write that uses it, for the transaction that it permits. */
export interface RightCode {
  spend: Write
  /** The email about a used recovery code. */
  notice: Notice | undefined
}

const spendIn = (factor: TwoFactor, set: Partial<TwoFactor>): Write => ({
  update: twoFactors.key(factor),
  change: { set: { ...set, version: factor.version + 1 } },
  when: unchanged(factor),
})

const check = async (ctx: Context, factor: TwoFactor, typed: string): Promise<RightCode | undefined> => {
  const secret = await decryptSecret(ctx, factor)
  const digits = typed.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) {
    const lastStep = matchingStep(secret, digits, ctx.clock.now(), factor.lastStep)
    return lastStep === undefined ? undefined : { spend: spendIn(factor, { lastStep }), notice: undefined }
  }
  const hash = readRecoveryCode(typed) === undefined ? '' : hashRecoveryCode(secret, typed)
  // Compares hashes of codes that the server chose, so that timing reveals nothing about a code.
  if (!factor.recovery.includes(hash)) return undefined
  const recovery = factor.recovery.filter((stored) => stored !== hash)
  const notice = makeNotice(ctx, factor.userId, 'recovery-code-used', { facts: { left: String(recovery.length) } })
  return { spend: spendIn(factor, { recovery }), notice }
}

/**
 * Checks a code of the second factor; throws 401 `invalid_two_factor_code` if it is wrong. Only wrong attempts stay counted,
 * and only a caller who has proved the password, or has a session, can make an attempt. `origin` separates the attempts from
 * a known network from all others.
 */
export const assertCode = async (
  ctx: Context,
  factor: TwoFactor,
  typed: string,
  { generation, origin }: { generation: number | undefined; origin: string },
): Promise<RightCode> => {
  const refund = await countProvenGuess(ctx, { email: factor.email, generation }, `CODE#${origin}`)
  const right = await check(ctx, factor, typed)
  if (right === undefined) throw wrongCode(factor)
  await refund()
  return right
}

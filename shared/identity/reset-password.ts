import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent, all, present } from '../db/expression.ts'
import { TransactionFailed, transact } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { digest } from '../ids.ts'
import { logSecurity } from '../security-log.ts'
import { credentials } from './credential.ts'
import { nextGeneration } from './end-sessions.ts'
import { rememberPlace } from './known-place.ts'
import { hashPassword, NewPassword } from './password.ts'
import { type PasswordReset, passwordResets } from './password-reset.ts'
import type { Origin } from './sign-in.ts'
import { demandStrongPassword } from './weak-password.ts'

export const ResetPassword = z.strictObject({ token: z.string().check(z.maxLength(100)), newPassword: NewPassword })
export type ResetPassword = z.infer<typeof ResetPassword>

const unusable = () =>
  new Refusal('invalid', 'This link is unknown, used or older than one hour: ask for a new one.', {
    code: 'reset_invalid',
    field: 'token',
  })

/** The reset behind a link that still works. */
const findReset = async (ctx: Context, token: string): Promise<PasswordReset> => {
  const reset = await passwordResets.get(ctx, { tokenHash: digest(token) })
  const over = reset === undefined || reset.usedAt !== undefined || Date.parse(reset.expiresAt) <= ctx.clock.now()
  if (over) throw unusable()
  return reset
}

/** Whose password a link would set. */
export const addressOfReset = async (ctx: Context, token: string): Promise<string> =>
  (await findReset(ctx, token)).email

/**
 * Sets a new password by a link from our mail, once, and ends every session of its person in the same step. The new
 * generation starts the counters of wrong passwords anew, and the place the reset came from is known from now on.
 */
export const resetPassword = async (
  ctx: Context,
  { token, newPassword }: ResetPassword,
  { ip }: Pick<Origin, 'ip'>,
): Promise<void> => {
  const { tokenHash, email, sessionGeneration } = await findReset(ctx, token)
  const credential = await credentials.get(ctx, { email })
  if (credential === undefined) throw unusable()
  demandStrongPassword(newPassword, credential, 'newPassword')
  const passwordHash = await hashPassword(newPassword)
  const spend = {
    update: passwordResets.key({ tokenHash }),
    change: { set: { usedAt: new Date(ctx.clock.now()).toISOString() } },
    when: all(present('PK'), absent('usedAt')),
  }
  const writes = [
    spend,
    ...nextGeneration({ ...credential, sessionGeneration }, { set: { passwordHash } }),
    rememberPlace(ctx, email, ip),
  ]
  await transact(ctx, () => writes).catch((error: unknown) => {
    if (error instanceof TransactionFailed && error.codes.includes('ConditionalCheckFailed')) throw unusable()
    throw error
  })
  logSecurity(ctx, 'authn_password_reset', { userId: credential.userId })
}

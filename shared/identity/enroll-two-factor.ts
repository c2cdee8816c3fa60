import * as z from 'zod/mini'
import { newDataKey } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, anyOf, equal } from '../db/expression.ts'
import { batchGet, put } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { countProvenGuess } from '../limits/guess.ts'
import { minuteMs } from '../time.ts'
import { credentials } from './credential.ts'
import { checkPassword, decoyHash } from './password.ts'
import type { Session } from './session.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'
import { encryptSecret, enrollmentMinutes, type TwoFactor, twoFactors } from './two-factor.ts'

/** The body of a route that asks for the password again. */
export const OwnPassword = z.strictObject({ password: described(z.string().check(z.maxLength(128)), 'Your password.') })

/**
 * The second factor of a session's person after a password check; throws 403 `incorrect_password` for a wrong password.
 */
export const provenFactor = async (
  ctx: Context,
  { email, generation }: Session,
  password: string,
): Promise<TwoFactor | undefined> => {
  const [rows, refund] = await Promise.all([
    batchGet(ctx, [credentials.key({ email }), twoFactors.key({ email })]),
    countProvenGuess(ctx, { email, generation }, 'SESSION'),
  ])
  const right = await checkPassword(password, credentials.from(rows, { email })?.passwordHash ?? decoyHash)
  if (!right)
    throw new Refusal('forbidden', 'The password is wrong.', { code: 'incorrect_password', field: 'password' })
  await refund()
  return twoFactors.from(rows, { email })
}

/** What a person enters into their authenticator app. */
export const Enrollment = z.object({
  secret: described(z.string(), 'The secret for the app, in Base32. It is shown only here.'),
  otpauthUri: described(z.string(), 'The same secret as an `otpauth:` URI, to show as a QR code.'),
  expiresAt: timestamp('When the enrollment expires unless it is confirmed, in UTC.'),
})

const isOn = () =>
  new Refusal('conflict', 'This account already has a second factor. Turn it off first.', {
    code: 'two_factor_already_enabled',
  })

/**
 * Enrolls a second factor: its secret has no effect until it is confirmed with a code. A later enrollment replaces it.
 */
export const enrollTwoFactor = async (
  ctx: Context,
  session: Session,
  { password }: z.infer<typeof OwnPassword>,
): Promise<z.infer<typeof Enrollment>> => {
  const known = await provenFactor(ctx, session, password)
  if (known?.status === 'active') throw isOn()
  const { email, userId } = session
  const secret = newTotpSecret()
  const dataKey = await newDataKey(ctx, userId)
  const expiresAt = new Date(ctx.clock.now() + enrollmentMinutes * minuteMs).toISOString()
  const sealed = await encryptSecret(ctx, { userId, dataKey }, secret)
  const factor: TwoFactor = {
    email,
    userId,
    status: 'pending',
    dataKey,
    sealed,
    expiresAt,
    version: (known?.version ?? 0) + 1,
    lastStep: 0,
    recovery: [],
  }
  const free = anyOf(absent('PK'), equal('status', 'pending'))
  await currentOrThrow(put(ctx, twoFactors.item(factor), free), isOn)
  return { secret, otpauthUri: otpauthUri(secret, email), expiresAt }
}

import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { present } from '../db/expression.ts'
import { transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { countProvenGuess } from '../limits/guess.ts'
import { logSecurity } from '../security-log.ts'
import { OwnPassword, provenFactor } from './enroll-two-factor.ts'
import { enqueueNotice, makeNotice, type Notice, storeNotice } from './notice.ts'
import type { Session } from './session.ts'
import { matchingStep } from './totp.ts'
import {
  assertActive,
  Code,
  decryptSecret,
  hashRecoveryCode,
  newRecoveryCodes,
  type TwoFactor,
  twoFactors,
  unchanged,
} from './two-factor.ts'
import { assertCode } from './use-code.ts'
import { users } from './user.ts'

export const ConfirmTwoFactor = z.strictObject({ code: described(Code, 'The six digits that the app shows now.') })

/** The body of a route that changes the factor: the password, and a code from the app or a recovery code. */
export const OwnPasswordAndCode = z.extend(OwnPassword, {
  code: described(Code, 'The six digits that the app shows now, or a recovery code.'),
})
type OwnPasswordAndCode = z.infer<typeof OwnPasswordAndCode>

/** Ten recovery codes, displayed once. Each replaces one code from the app, once. */
export const RecoveryCodes = z.object({
  recoveryCodes: described(
    z.array(z.string()),
    'Ten codes. Each replaces one code from the app, once. They are shown only here.',
  ),
})
type RecoveryCodes = z.infer<typeof RecoveryCodes>

const write = async (ctx: Context, writes: readonly Write[], notice: Notice): Promise<void> => {
  const written = transact(ctx, () => [...writes, storeNotice(notice)])
  await currentOrThrow(
    written,
    () =>
      new Refusal('conflict', 'The second factor changed during the request. Try again.', {
        code: 'concurrent_update',
      }),
  )
  await enqueueNotice(ctx, notice)
}

const notWaiting = () =>
  new Refusal('conflict', 'No enrollment is waiting for confirmation. Enroll first.', {
    code: 'two_factor_not_enrolled',
  })

/** Turns on the enrolled factor with the first code from the app. */
export const confirmTwoFactor = async (
  ctx: Context,
  { email, generation }: Session,
  { code }: z.infer<typeof ConfirmTwoFactor>,
): Promise<RecoveryCodes> => {
  const [factor, refund] = await Promise.all([
    twoFactors.get(ctx, { email }),
    countProvenGuess(ctx, { email, generation }, 'SESSION'),
  ])
  const nowMs = ctx.clock.now()
  if (factor?.status !== 'pending' || Date.parse(factor.expiresAt ?? '') <= nowMs) throw notWaiting()
  const secret = await decryptSecret(ctx, factor)
  const lastStep = matchingStep(secret, code.replace(/\s/g, ''), nowMs, factor.lastStep)
  if (lastStep === undefined)
    throw new Refusal('invalid', 'The code does not match the new secret. Send the one that your app shows now.', {
      code: 'enrollment_code_mismatch',
      field: 'code',
    })
  await refund()
  const recoveryCodes = newRecoveryCodes()
  const recovery = recoveryCodes.map((recoveryCode) => hashRecoveryCode(secret, recoveryCode))
  const set: Partial<TwoFactor> = { status: 'active', lastStep, recovery, version: factor.version + 1 }
  const writes: Write[] = [
    { update: twoFactors.key(factor), change: { set, remove: ['ttl', 'expiresAt'] }, when: unchanged(factor) },
    { update: users.key({ id: factor.userId }), change: { set: { twoFactor: true } }, when: present('PK') },
  ]
  await write(ctx, writes, makeNotice(ctx, factor.userId, 'two-factor-on'))
  logSecurity(ctx, 'authn_two_factor_on')
  return { recoveryCodes }
}

/** The writes that turn off a factor. */
const turnOff = (factor: TwoFactor): Write[] => [
  { delete: twoFactors.key(factor), when: unchanged(factor) },
  { update: users.key({ id: factor.userId }), change: { remove: ['twoFactor'] }, when: present('PK') },
]

/** The errors of a route that changes the factor. */
export const proofErrors = [
  'incorrect_password',
  'two_factor_not_enabled',
  'invalid_two_factor_code',
  'concurrent_update',
] as const

/** Checks password and code. Returns the factor as read for the check. */
const prove = async (ctx: Context, session: Session, { password, code }: OwnPasswordAndCode): Promise<TwoFactor> => {
  const factor = assertActive(await provenFactor(ctx, session, password))
  await assertCode(ctx, factor, code, { generation: session.generation, origin: 'SESSION' })
  return factor
}

export const disableTwoFactor = async (ctx: Context, session: Session, proof: OwnPasswordAndCode): Promise<void> => {
  const factor = await prove(ctx, session, proof)
  await write(ctx, turnOff(factor), makeNotice(ctx, factor.userId, 'two-factor-off'))
  logSecurity(ctx, 'authn_two_factor_off')
}

/** Replaces all recovery codes with new ones. */
export const replaceRecoveryCodes = async (
  ctx: Context,
  session: Session,
  proof: OwnPasswordAndCode,
): Promise<RecoveryCodes> => {
  const factor = assertActive(await provenFactor(ctx, session, proof.password))
  const { spend } = await assertCode(ctx, factor, proof.code, { generation: session.generation, origin: 'SESSION' })
  const recoveryCodes = newRecoveryCodes()
  const secret = await decryptSecret(ctx, factor)
  const recovery = recoveryCodes.map((recoveryCode) => hashRecoveryCode(secret, recoveryCode))
  if (!('update' in spend)) throw new Error('a code is spent by an update')
  const change = { ...spend.change, set: { ...spend.change.set, recovery } }
  await write(ctx, [{ ...spend, change }], makeNotice(ctx, factor.userId, 'recovery-codes-replaced'))
  logSecurity(ctx, 'authn_recovery_codes_replaced')
  return { recoveryCodes }
}

/** Turns off the second factor of a person who has lost their app and their recovery codes; for operators. */
export const turnOffTwoFactor = async (ctx: Context, email: string): Promise<void> => {
  const factor = assertActive(await twoFactors.get(ctx, { email }))
  const notice = makeNotice(ctx, factor.userId, 'two-factor-off', { facts: { by: 'operator' } })
  await transact(ctx, () => [...turnOff(factor), storeNotice(notice)])
  logSecurity(ctx, 'authn_two_factor_off', { userId: factor.userId, by: 'operator' })
  await enqueueNotice(ctx, notice)
}

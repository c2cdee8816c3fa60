import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { allOf, atLeast, equal } from '../db/expression.ts'
import { update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { countCodeTry, forgetCodeTry } from './code-tries.ts'
import { type DeviceLogin, deviceLogins } from './device-login.ts'
import type { Session } from './session.ts'
import { hashUserCode, readUserCode, userCodes } from './user-code.ts'

const notExpired = (ctx: Context) => atLeast('expiresAt', new Date(ctx.clock.now() + 1).toISOString())

const wrong = (text: string) => new Refusal('invalid', text, { code: 'invalid_user_code', field: 'user_code' })

/** Claims the code that a person typed: from then on they can see the login behind it and answer it. */
export const claimUserCode = async (ctx: Context, { userId }: Session, typed: string): Promise<string> => {
  const code = readUserCode(typed)
  if (code === undefined) throw wrong('A code has eight letters, such as BCDF-GHJK. Type it as your device shows it.')
  await countCodeTry(ctx, userId)
  const key = userCodes.key({ codeHash: hashUserCode(code) })
  await currentOrThrow(update(ctx, key, { set: { claimedBy: userId } }, notExpired(ctx)), () =>
    wrong('No device is waiting for this code. Compare it with the code on your device, or start again.'),
  )
  await forgetCodeTry(ctx, userId)
  return code
}

/** The login behind a code that this person has claimed; undefined for any other code, whether or not it exists. */
export const claimedLogin = async (
  ctx: Context,
  { userId }: Session,
  typed: string,
): Promise<DeviceLogin | undefined> => {
  const code = readUserCode(typed)
  const row = code === undefined ? undefined : await userCodes.get(ctx, { codeHash: hashUserCode(code) })
  return row?.claimedBy === userId ? deviceLogins.get(ctx, { deviceHash: row.deviceHash }) : undefined
}

const answered = () =>
  new Refusal('conflict', 'This login was already answered or has expired. Start it again on your device.', {
    code: 'device_login_expired',
  })

/** Approves or denies a login, once. Only the person who claimed its code can answer it. */
export const answerDeviceLogin = async (
  ctx: Context,
  session: Session,
  typed: string,
  answer: 'approved' | 'denied',
): Promise<void> => {
  const login = await claimedLogin(ctx, session, typed)
  if (login === undefined) throw wrong('Enter the code of your device first.')
  const { userId, email, name, generation } = session
  const person = answer === 'approved' ? { userId, email, name, generation } : undefined
  const change = { set: { status: answer, person } }
  const open = allOf(equal('status', 'pending'), notExpired(ctx))
  await currentOrThrow(update(ctx, deviceLogins.key(login), change, open), answered)
  logSecurity(ctx, answer === 'approved' ? 'authn_device_approved' : 'authn_device_denied')
}

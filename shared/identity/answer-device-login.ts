import type { Context } from '../context.ts'
import { currentOrThrow, wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, atMost, below, equal } from '../db/expression.ts'
import { type Key, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { logSecurity } from '../security-log.ts'
import { type DeviceLogin, deviceLogins } from './device-login.ts'
import type { Session } from './session.ts'
import { hashUserCode, readUserCode, userCodes } from './user-code.ts'

/**
 * Decided: five wrong codes per person in 15 minutes. With 20^8 codes and a thousand pending devices, a person who
 * tries without pause for a year finds one with a probability of less than one in a hundred.
 */
export const wrongCodes = 5
const windowSeconds = 900

const keyOf = (userId: string): Key => ({ PK: `USER#${userId}`, SK: 'CODE-TRIES' })

/** Counts an attempt before any lookup, so that concurrent attempts cannot exceed the limit. */
const countCodeTry = async (ctx: Context, userId: string): Promise<void> => {
  const nowMs = ctx.clock.now()
  const endsAtMs = nowMs + windowSeconds * 1000
  const first = { set: { type: 'CodeTries', count: 1, endsAtMs, ttl: Math.ceil(endsAtMs / 1000) } }
  const opened = update(ctx, keyOf(userId), first, anyOf(absent('PK'), atMost('endsAtMs', nowMs)))
  if (await wasCurrent(opened)) return
  const within = allOf(atLeast('endsAtMs', nowMs + 1), below('count', wrongCodes))
  const counted = update(ctx, keyOf(userId), { add: { count: 1 } }, within)
  if (await wasCurrent(counted)) return
  throw new Refusal('limited', 'Too many wrong codes. Wait 15 minutes, then try again.', {
    code: 'rate_limited',
    retryAfterSeconds: windowSeconds,
  })
}

/** Returns an attempt with a correct code. */
const forgetCodeTry = async (ctx: Context, userId: string): Promise<void> => {
  await wasCurrent(update(ctx, keyOf(userId), { add: { count: -1 } }, atLeast('count', 1)))
}

const notExpired = (ctx: Context) => atLeast('expiresAt', new Date(ctx.clock.now() + 1).toISOString())

const wrong = (text: string) => new Refusal('invalid', text, { code: 'invalid_user_code', field: 'user_code' })

/** Claims the code that a person typed: from then on they can see and answer the login behind it. */
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

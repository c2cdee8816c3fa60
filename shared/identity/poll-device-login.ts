import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { equal, present } from '../db/expression.ts'
import { transact, updateReturningOld } from '../db/table.ts'
import type { CodeOf } from '../errors/catalog.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { logSecurity } from '../security-log.ts'
import { type DeviceLogin, deviceLogins, pollSeconds } from './device-login.ts'
import { newSession, storeSession } from './open-session.ts'
import type { Session } from './session.ts'
import { evictOldestSessions } from './session-quota.ts'

// The error codes of RFC 8628, 3.5.
const refuse = (code: CodeOf<'invalid'>, text: string) => new Refusal('invalid', text, { code })
const over = () =>
  refuse(
    'expired_token',
    'This device code is unknown, was already used, or is older than ten minutes. Start the login again.',
  )
const pending = () => refuse('authorization_pending', 'The login is not approved yet. Poll again in five seconds.')
const denied = () => refuse('access_denied', 'The login was denied in the browser. Start again if that was a mistake.')
const tooSoon = () => refuse('slow_down', 'You polled too soon. Wait five more seconds between polls from now on.')

/** How much too early a poll may arrive: the network may delay one poll and not the next. */
const toleranceMs = 1_000

/** Stores the time of a poll. Returns the login as it was before the poll. */
const recordPoll = async (ctx: Context, deviceHash: string): Promise<DeviceLogin> => {
  const change = { set: { polledAtMs: ctx.clock.now() } }
  const noted = updateReturningOld(ctx, deviceLogins.key({ deviceHash }), change, present('PK'))
  return deviceLogins.parse(await currentOrThrow(noted, over))
}

const redeem = async (ctx: Context, { deviceHash, person }: DeviceLogin, userAgent: string) => {
  if (person === undefined) throw new Error('an approved login has no person')
  const opened = await newSession(ctx, { ...person, userAgent })
  const spend = {
    as: 'login',
    update: deviceLogins.key({ deviceHash }),
    change: { set: { status: 'redeemed' } },
    when: equal('status', 'approved'),
  }
  const room = await evictOldestSessions(ctx, person.userId, person.generation ?? 0)
  const written = transact(ctx, () => [spend, storeSession(opened.session), ...room])
  await currentOrThrow(written, over, 'login')
  logSecurity(ctx, 'authn_login_success', { userId: person.userId, sessionId: opened.session.id, method: 'device' })
  return opened
}

/**
 * Answers a poll: once with a session after the person has approved, otherwise with an error that tells the device what to
 * do.
 */
export const pollDeviceLogin = async (
  ctx: Context,
  deviceCode: string,
  userAgent: string,
): Promise<{ token: string; session: Session }> => {
  const login = await recordPoll(ctx, digest(deviceCode))
  const nowMs = ctx.clock.now()
  const { status, expiresAt, polledAtMs } = login
  if (Date.parse(expiresAt) <= nowMs || status === 'redeemed') throw over()
  if (polledAtMs !== undefined && nowMs - polledAtMs < pollSeconds * 1000 - toleranceMs) throw tooSoon()
  if (status === 'denied') throw denied()
  if (status === 'pending') throw pending()
  return redeem(ctx, login, userAgent)
}

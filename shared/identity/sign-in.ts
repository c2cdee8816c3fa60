import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, equal, present } from '../db/expression.ts'
import { put, transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { digest, random62 } from '../ids.ts'
import { hashedNetwork } from '../limits/network.ts'
import { hashedEmail, logSecurity } from '../security-log.ts'
import { minuteMs } from '../time.ts'
import { type Credential, credentials } from './credential.ts'
import { rememberNetwork } from './known-network.ts'
import { enqueueNotice, makeNotice, storeNotice } from './notice.ts'
import { newSession, storeSession } from './open-session.ts'
import { type Origin, PasswordLogin, type Proven, provePassword, readAccount } from './prove-password.ts'
import type { Session } from './session.ts'
import { evictOldestSessions } from './session-quota.ts'
import { Code } from './two-factor.ts'
import { assertCode, type RightCode, wrongCode } from './use-code.ts'

export const SignIn = z.extend(PasswordLogin, {
  code: described(z.optional(Code), 'For an account with a second factor: the code its app shows, or a recovery code.'),
})
export type SignIn = z.infer<typeof SignIn>

interface SignedIn {
  token: string
  session: Session
}

/** The writes for a sign-in from a new network. The first sign-in of an account sends no email. */
const welcome = (ctx: Context, { email, userId, signedInAt }: Credential, ip: string) => {
  if (signedInAt !== undefined) return { notice: makeNotice(ctx, userId, 'signed-in-elsewhere', { facts: { ip } }) }
  const set = { signedInAt: new Date(ctx.clock.now()).toISOString() }
  return { first: { update: credentials.key({ email }), change: { set }, when: equal('userId', userId) } }
}

/**
 * Checks the code of an account with a second factor; undefined for an account without one. Throws 403
 * `two_factor_required` if there is no code.
 */
const askForCode = async (
  ctx: Context,
  { credential, factor, isKnown }: Proven,
  code: string | undefined,
  ip: string,
): Promise<RightCode | undefined> => {
  if (factor === undefined) return undefined
  if (code === undefined) {
    throw new Refusal('forbidden', 'This account has a second factor. Send the code of its app as "code".', {
      code: 'two_factor_required',
      field: 'code',
      audit: { account: hashedEmail(credential.email), userId: credential.userId },
    })
  }
  // A caller who has the password may try codes, but cannot use up the attempts of the owner's known networks.
  const origin = isKnown ? hashedNetwork(ip) : 'NEW'
  return assertCode(ctx, factor, code, { generation: credential.sessionGeneration, origin })
}

/** Opens a session after password and code were right. The writes `beside` are part of the same transaction. */
export const signInProven = async (
  ctx: Context,
  { proven, code }: { proven: Proven; code: string | undefined },
  { userAgent, ip }: Origin,
  beside: readonly Write[] = [],
): Promise<SignedIn> => {
  const right = await askForCode(ctx, proven, code, ip)
  const { email, userId, name, sessionGeneration: generation = 0 } = proven.credential
  const opened = await newSession(ctx, { userId, email, name, userAgent, generation })
  const { notice, first } = proven.isKnown ? {} : welcome(ctx, proven.credential, ip)
  const room = await evictOldestSessions(ctx, userId, generation)
  const notices = [notice, right?.notice].filter((candidate) => candidate !== undefined)
  const writes: Write[] = [
    storeSession(opened.session),
    rememberNetwork(ctx, email, ip),
    ...room,
    ...notices.map(storeNotice),
    ...(first === undefined ? [] : [first]),
    ...(right === undefined ? [] : [right.spend]),
    ...beside,
  ]
  await transact(ctx, () => writes).catch((error: unknown) => {
    // Of two sign-ins with the same code, the first one succeeds.
    throw right !== undefined && conditionFailed(error) ? wrongCode(proven.credential) : error
  })
  const method = right === undefined ? 'password' : right.notice === undefined ? 'totp' : 'recovery-code'
  const account = hashedEmail(email)
  logSecurity(ctx, 'authn_login_success', { userId, sessionId: opened.session.id, method, account })
  await Promise.all(notices.map((sent) => enqueueNotice(ctx, sent)))
  return opened
}

/** Opens a session for the right password, and the right code if the account has a second factor. */
export const signIn = async (ctx: Context, { code, ...login }: SignIn, origin: Origin): Promise<SignedIn> =>
  signInProven(ctx, { proven: await provePassword(ctx, login, origin), code }, origin)

/** How many minutes the page waits for the code after the password. */
const stepMinutes = 5

/** A sign-in on the page after the right password, which waits for the code. */
const SignInStep = z.object({
  ticketHash: z.string(),
  email: z.string(),
  generation: z.number(),
  network: z.string(),
  expiresAt: z.string(),
})

const signInSteps = entity({
  type: 'SignInStep',
  shape: SignInStep,
  key: ({ ticketHash }: { ticketHash: string }) => ({ PK: `STEP#${ticketHash}`, SK: 'STEP' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

const over = () =>
  new Refusal('invalid', 'This sign-in took longer than five minutes. Enter your password again.', {
    code: 'sign_in_expired',
  })

/** Stores that a password was right; returns the ticket that the page sends with the code. */
export const beginCodeStep = async (ctx: Context, { credential }: Proven, { ip }: Origin): Promise<string> => {
  const ticket = random62(43)
  const { email, sessionGeneration: generation = 0 } = credential
  const expiresAt = new Date(ctx.clock.now() + stepMinutes * minuteMs).toISOString()
  const row = { ticketHash: digest(ticket), email, generation, network: hashedNetwork(ip), expiresAt }
  await put(ctx, signInSteps.item(row), absent('PK'))
  return ticket
}

/** Signs in with a ticket and a code. A changed or reset password ends the ticket. */
export const completeSignIn = async (ctx: Context, ticket: string, code: string, origin: Origin) => {
  const step = await signInSteps.get(ctx, { ticketHash: digest(ticket) })
  const isOver = step === undefined || Date.parse(step.expiresAt) <= ctx.clock.now()
  if (isOver || step.network !== hashedNetwork(origin.ip)) throw over()
  const { credential, ...account } = await readAccount(ctx, step.email, origin.ip)
  if (credential?.verified !== true || (credential.sessionGeneration ?? 0) !== step.generation) throw over()
  const spend = { delete: signInSteps.key(step), when: present('PK') }
  return signInProven(ctx, { proven: { credential, ...account }, code }, origin, [spend])
}

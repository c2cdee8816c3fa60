import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { batchGet, ConditionFailed, transact, update } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { countGuess } from '../limits/guess.ts'
import { hashedEmail, logSecurity } from '../security-log.ts'
import { type Credential, credentials } from './credential.ts'
import { Email } from './email.ts'
import { isKnownPlace, placeKey, rememberPlace } from './known-place.ts'
import { newSession, storeSession } from './open-session.ts'
import { checkPassword, decoyHash, hashPassword, isOutdated } from './password.ts'
import type { Session } from './session.ts'
import { makeRoomForSession } from './session-quota.ts'

export const SignIn = z.strictObject({ email: Email, password: z.string().check(z.maxLength(128)) })
export type SignIn = z.infer<typeof SignIn>

const upgrade = async (ctx: Context, { email, passwordHash }: Credential, password: string) => {
  if (!isOutdated(passwordHash)) return
  const change = { set: { passwordHash: await hashPassword(password) } }
  await update(ctx, credentials.key({ email }), change, equal('passwordHash', passwordHash)).catch((error: unknown) => {
    // Another sign-in was faster.
    if (!(error instanceof ConditionFailed)) throw error
  })
}

/** Where a sign-in comes from. */
export interface Origin {
  userAgent: string
  /** The address of the client, as the connection shows it. */
  ip: string
}

/**
 * A new session for the right password; an unknown address is refused with the same words after the same work. Tries
 * are counted for the account, but not those from where its owner signed in lately: no stranger can use them up.
 */
export const signIn = async (
  ctx: Context,
  { email, password }: SignIn,
  { userAgent, ip }: Origin,
): Promise<{ token: string; session: Session }> => {
  const found = await batchGet(ctx, [credentials.key({ email }), placeKey(email, ip)])
  const credential = credentials.from(found, { email })
  const account = hashedEmail(email)
  const audit = { account, userId: credential?.userId }
  if (!isKnownPlace(ctx, found, email, ip)) {
    await countGuess(ctx, { email, generation: credential?.sessionGeneration }, ip)
  }
  const right = await checkPassword(password, credential?.passwordHash ?? decoyHash)
  if (credential === undefined || !right) {
    throw new Refusal('unauthenticated', 'The e-mail address or the password is wrong.', {
      code: 'wrong_credentials',
      audit,
    })
  }
  if (!credential.verified) {
    throw new Refusal('forbidden', 'The address is not verified: open the link in our mail, or sign up once more.', {
      code: 'email_not_verified',
      audit,
    })
  }
  await upgrade(ctx, credential, password)
  const { userId, name, sessionGeneration: generation = 0 } = credential
  const opened = await newSession(ctx, { userId, email, name, userAgent, generation })
  const room = await makeRoomForSession(ctx, userId, generation)
  await transact(ctx, () => [storeSession(opened.session), rememberPlace(ctx, email, ip), ...room])
  logSecurity(ctx, 'authn_login_success', { userId, sessionId: opened.session.id, method: 'password', account })
  return opened
}

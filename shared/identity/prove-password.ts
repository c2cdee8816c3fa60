import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { ifCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { batchGet, update } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { countGuess } from '../limits/guess.ts'
import { hashedEmail } from '../security-log.ts'
import { type Credential, credentials } from './credential.ts'
import { Email } from './email.ts'
import { isKnownNetwork, knownNetworkKey } from './known-network.ts'
import { checkPassword, decoyHash, hashPassword, isOutdated } from './password.ts'
import { type TwoFactor, twoFactors } from './two-factor.ts'

export const PasswordLogin = z.strictObject({
  email: described(Email, 'The email address of the account.'),
  password: described(z.string().check(z.maxLength(128)), 'The password of the account.'),
})
export type PasswordLogin = z.infer<typeof PasswordLogin>

/** The client of a sign-in. */
export interface Origin {
  userAgent: string
  /** The client's address, from the connection. */
  ip: string
}

/** An account after a successful password check, as read for the check. */
export interface Proven {
  credential: Credential
  /** Its second factor, if it has one. */
  factor: TwoFactor | undefined
  /** Whether its owner has signed in from this network in the last 30 days. */
  isKnown: boolean
}

/** The parts of an account that a sign-in reads. */
export const readAccount = async (ctx: Context, email: string, ip: string) => {
  const rows = await batchGet(ctx, [credentials.key({ email }), knownNetworkKey(email, ip), twoFactors.key({ email })])
  const factor = twoFactors.from(rows, { email })
  return {
    credential: credentials.from(rows, { email }),
    factor: factor?.status === 'active' ? factor : undefined,
    isKnown: isKnownNetwork(ctx, rows, email, ip),
  }
}

const upgrade = async (ctx: Context, { email, passwordHash }: Credential, password: string) => {
  if (!isOutdated(passwordHash)) return
  const change = { set: { passwordHash: await hashPassword(password) } }
  // Of two concurrent sign-ins, only one writes the new hash.
  await ifCurrent(update(ctx, credentials.key({ email }), change, equal('passwordHash', passwordHash)))
}

/**
 * Checks a password; an unknown address gets the same error after the same work. Attempts are counted per account,
 * except those from a network where its owner has signed in lately: no stranger can use them up.
 */
export const provePassword = async (
  ctx: Context,
  { email, password }: PasswordLogin,
  { ip }: Pick<Origin, 'ip'>,
): Promise<Proven> => {
  const { credential, factor, isKnown } = await readAccount(ctx, email, ip)
  const audit = { account: hashedEmail(email), userId: credential?.userId }
  if (!isKnown) await countGuess(ctx, { email, generation: credential?.sessionGeneration }, ip)
  const right = await checkPassword(password, credential?.passwordHash ?? decoyHash)
  if (credential === undefined || !right) {
    throw new Refusal('unauthenticated', 'The email address or the password is wrong.', {
      code: 'invalid_credentials',
      audit,
    })
  }
  if (!credential.verified) {
    throw new Refusal('forbidden', 'The email address is not verified. Open the link in our email, or sign up again.', {
      code: 'email_not_verified',
      audit,
    })
  }
  await upgrade(ctx, credential, password)
  return { credential, factor, isKnown }
}

import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { hashedEmail } from '../security-log.ts'
import type { Limit } from './bucket.ts'
import { countCall, refund } from './count.ts'
import { limitOf } from './limits.ts'
import { hashedNetwork } from './network.ts'
import { notCountedLine, rateLimitUnavailable } from './refuse.ts'

/** The account that somebody tries to enter. */
export interface Guessed {
  email: string
  /** A new generation of sessions, which a password reset begins, starts all counters of the account anew. */
  generation?: number | undefined
}

/**
 * Tries at one account that one network may make: with the specified limit of 20 calls in 15 minutes, 10 at once and
 * then one every 12 minutes, at most 130 in the first 24 hours and 120 in each later day.
 */
export const perNetwork = ({ calls, perSeconds }: Limit): Limit => ({
  calls: Math.ceil(calls / 2),
  perSeconds: 8 * perSeconds,
})

/**
 * Tries at one account that all networks together may make: 100 at once and then one every 144 seconds, at most 700 in
 * the first 24 hours and 600 in each later day. Five networks that try without pause use no more than what comes back,
 * so that it takes a sixth to keep others waiting.
 */
export const perAccount = ({ calls, perSeconds }: Limit): Limit => ({ calls: 5 * calls, perSeconds: 16 * perSeconds })

const minutes = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`)

const tooManyTries = (retryAfterSeconds: number, way: string, email: string): Refusal =>
  new Refusal('limited', `Too many attempts for this account. Wait ${minutes(retryAfterSeconds)}${way}.`, {
    code: 'rate_limited',
    retryAfterSeconds,
    audit: { account: hashedEmail(email) },
  })

const countOrRefuse = async (ctx: Context, who: string, limit: Limit, way: string, email: string): Promise<void> => {
  const standing = await countCall(ctx, who, limit).catch((error: unknown) => {
    ctx.log.error(notCountedLine, { limit: 'auth', reason: String(error) })
    throw rateLimitUnavailable()
  })
  if (!standing.passes) throw tooManyTries(standing.retryAfterSeconds, way, email)
}

const keyOf = ({ email, generation = 0 }: Guessed) => `auth#ACCOUNT#${digest(`${email}\n${generation}`).slice(0, 22)}`

const byMail = ', or reset the password by email to sign in now'

/**
 * Counts a try at the password of an account from a place where its owner did not sign in lately. Whether there is such
 * an account makes no difference.
 *
 * Decided: the network is counted first, and a try that it may not make does not count for the account. So one network,
 * or a few, cannot keep the owner out of the others; against many the owner has the places they know (sign-in.ts) and
 * the reset, which starts the counters anew.
 */
export const countGuess = async (ctx: Context, guessed: Guessed, address: string): Promise<void> => {
  const limit = limitOf(ctx, 'auth')
  if (limit === null) return
  const account = keyOf(guessed)
  await countOrRefuse(ctx, `${account}#NETWORK#${hashedNetwork(address)}`, perNetwork(limit), byMail, guessed.email)
  await countOrRefuse(ctx, account, perAccount(limit), byMail, guessed.email)
}

/**
 * Counts a try at a secret of an account by somebody who has proved something else of it already: a session, or the
 * password. They are counted apart, so that no stranger uses up the tries of the owner. What it answers takes the try
 * back, for one that was right.
 */
export const countProvenGuess = async (ctx: Context, guessed: Guessed, what: string): Promise<() => Promise<void>> => {
  const limit = limitOf(ctx, 'auth')
  if (limit === null) return async () => undefined
  const [who, own] = [`${keyOf(guessed)}#${what}`, perNetwork(limit)]
  await countOrRefuse(ctx, who, own, '', guessed.email)
  return () => refund(ctx, who, own)
}

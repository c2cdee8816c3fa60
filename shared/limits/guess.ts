import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { hashedEmail } from '../security-log.ts'
import { countCall, type Limit, logNotCounted, rateLimitUnavailable, refund } from './count.ts'
import { limitOf } from './limits.ts'
import { hashedNetwork } from './network.ts'

/** The account that a sign-in names. */
export interface Guessed {
  email: string
  /** A password reset starts a new generation of sessions, which resets all counters of the account. */
  generation?: number | undefined
}

/**
 * Attempts at one account from one network: with the specified limit of 20 calls in 15 minutes, 10 in a burst and then one
 * every 12 minutes, at most 130 in the first 24 hours and 120 in each later day.
 */
export const perNetwork = ({ calls, perSeconds }: Limit): Limit => ({
  calls: Math.ceil(calls / 2),
  perSeconds: 8 * perSeconds,
})

/**
 * Attempts at one account from all networks together: 100 in a burst and then one every 144 seconds, at most 700 in the
 * first 24 hours and 600 in each later day. Five networks that try without pause use no more than what becomes
 * available again, so that it takes a sixth to lock others out.
 */
export const perAccount = ({ calls, perSeconds }: Limit): Limit => ({ calls: 5 * calls, perSeconds: 16 * perSeconds })

const minutes = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`)

const tooManyTries = (retryAfterSeconds: number, way: string, email: string): Refusal =>
  new Refusal('limited', `Too many attempts for this account. Wait ${minutes(retryAfterSeconds)}${way}.`, {
    code: 'rate_limited',
    retryAfterSeconds,
    audit: { account: hashedEmail(email) },
  })

const countOrRefuse = async (
  ctx: Context,
  who: string,
  limit: Limit,
  { way, email }: { way: string; email: string },
): Promise<void> => {
  const state = await countCall(ctx, who, limit).catch((error: unknown) => {
    logNotCounted(ctx, { limit: 'auth' }, error)
    throw rateLimitUnavailable()
  })
  if (!state.passes) throw tooManyTries(state.retryAfterSeconds, way, email)
}

const keyOf = ({ email, generation = 0 }: Guessed) => `auth#ACCOUNT#${digest(`${email}\n${generation}`).slice(0, 22)}`

const byMail = ', or reset the password by email to sign in now'

/**
 * Counts an attempt at the password of an account from a network where its owner has not signed in lately. It makes no
 * difference whether the account exists.
 * Decided: the network is counted first, and an attempt that it may not make does not count for the account. So a few
 * networks cannot lock the owner out of the others; against many, the owner has the networks they know (sign-in.ts) and
 * the reset, which restarts the counters.
 */
export const countGuess = async (ctx: Context, guessed: Guessed, address: string): Promise<void> => {
  const limit = limitOf(ctx, 'auth')
  if (limit === null) return
  const account = keyOf(guessed)
  await countOrRefuse(ctx, `${account}#NETWORK#${hashedNetwork(address)}`, perNetwork(limit), {
    way: byMail,
    email: guessed.email,
  })
  await countOrRefuse(ctx, account, perAccount(limit), { way: byMail, email: guessed.email })
}

/**
 * Counts an attempt at a secret of an account by a caller who has already proved something else: a session, or the
 * password. These attempts have their own counter, so that no stranger uses up those of the owner. Returns a function
 * that gives the attempt back after success.
 */
export const countProvenGuess = async (ctx: Context, guessed: Guessed, what: string): Promise<() => Promise<void>> => {
  const limit = limitOf(ctx, 'auth')
  if (limit === null) return async () => undefined
  const [who, own] = [`${keyOf(guessed)}#${what}`, perNetwork(limit)]
  await countOrRefuse(ctx, who, own, { way: '', email: guessed.email })
  return () => refund(ctx, who, own)
}

import type { Context } from '../context.ts'
import { digest } from '../ids.ts'
import { countCall } from './count.ts'
import { limitOf } from './limits.ts'
import { notCounted, notCountedLine, tooOften } from './refuse.ts'

/**
 * Counts a try at the password of an account, whoever makes it from wherever: half as many as one client address may
 * make. Whether there is such an account makes no difference.
 *
 * Decided: it slows down whoever guesses from many addresses, and locks nobody out. Every tenth of the time there is one
 * more try, and where the owner signed in lately tries are not counted for the account at all (sign-in.ts).
 */
export const countGuess = async (ctx: Context, email: string): Promise<void> => {
  const limit = limitOf(ctx, 'auth')
  if (limit === null) return
  const half = { ...limit, calls: Math.ceil(limit.calls / 2) }
  const standing = await countCall(ctx, `auth#ACCOUNT#${digest(email).slice(0, 22)}`, half).catch((error: unknown) => {
    ctx.log.error(notCountedLine, { limit: 'auth', reason: String(error) })
    throw notCounted()
  })
  if (!standing.passes) throw tooOften(standing.retryAfterSeconds)
}

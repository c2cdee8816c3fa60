import { type Context, perContext } from '../context.ts'
import { get } from '../db/table.ts'

/** Decided: one read per second serves all callers, so that frequent checks cost nothing. */
const ttlMs = 1_000

const last = perContext(() => ({ requestedAtMs: Number.NEGATIVE_INFINITY, answer: Promise.resolve(false) }))

const ask = (ctx: Context): Promise<boolean> =>
  get(ctx, { PK: 'HEALTH', SK: 'HEALTH' }).then(
    () => true,
    (error: unknown) => {
      ctx.log.error('the table does not respond', { reason: String(error) })
      return false
    },
  )

/** Whether the table responds to a read of a row that does not exist. */
export const isTableReachable = (ctx: Context): Promise<boolean> => {
  const known = last(ctx)
  const now = ctx.clock.now()
  if (now - known.requestedAtMs >= ttlMs) {
    known.requestedAtMs = now
    known.answer = ask(ctx)
  }
  return known.answer
}

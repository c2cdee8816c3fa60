import { type Context, perContext } from './context.ts'

/**
 * Collects the requests of one turn of the event loop, and carries them out together: what the messages of one batch request
 * at the same moment costs one call. All callers get the result. It belongs to none of the individual requests.
 */
export const inOneTurn = <Ask, Answer>(carryOut: (ctx: Context, asks: readonly Ask[]) => Promise<Answer>) => {
  const turnOf = perContext((): { asks: Ask[]; answer?: Promise<Answer> | undefined } => ({ asks: [] }))
  return (ctx: Context, ask: Ask): Promise<Answer> => {
    const turn = turnOf(ctx)
    turn.asks.push(ask)
    turn.answer ??= new Promise(setImmediate).then(() => {
      turn.answer = undefined
      return carryOut(ctx.environment ?? ctx, turn.asks.splice(0))
    })
    return turn.answer
  }
}

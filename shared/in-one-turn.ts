import { type Context, perContext } from './context.ts'

/**
 * Gathers what is asked for in one turn of the event loop, and carries it out together: what the messages of one batch do
 * at the same moment costs one call. Everyone gets the answer for all.
 * It belongs to none of the requests that ask.
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

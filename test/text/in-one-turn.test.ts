import { expect, test } from 'vitest'
import { makeContext } from '../../shared/context.ts'
import { inOneTurn } from '../../shared/in-one-turn.ts'

test('what is asked for in one turn is carried out together, and a failure reaches all who asked', async () => {
  const calls: (readonly number[])[] = []
  const ask = inOneTurn(async (_ctx, asks: readonly number[]) => {
    calls.push(asks)
    if (asks.includes(0)) throw new Error('refused')
    return Math.max(...asks)
  })
  const [ctx, other] = [makeContext({}), makeContext({})]
  expect(await Promise.all([ask(ctx, 1), ask(ctx, 2), ask(other, 3)])).toEqual([2, 2, 3])
  const refused = await Promise.allSettled([ask(ctx, 0), ask(ctx, 4)])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask(ctx, 5)).toBe(5)
  expect(calls).toEqual([[1, 2], [3], [0, 4], [5]])
})

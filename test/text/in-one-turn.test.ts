import { expect, test } from 'vitest'
import { makeContext } from '../../shared/context.ts'
import { inOneTurn } from '../../shared/in-one-turn.ts'

test('calls of one turn run together, and a failure rejects all of them', async () => {
  const calls: (readonly number[])[] = []
  const batched = inOneTurn(async (_ctx, inputs: readonly number[]) => {
    calls.push(inputs)
    if (inputs.includes(0)) throw new Error('refused')
    return Math.max(...inputs)
  })
  const [ctx, other] = [makeContext({}), makeContext({})]
  expect(await Promise.all([batched(ctx, 1), batched(ctx, 2), batched(other, 3)])).toEqual([2, 2, 3])
  const refused = await Promise.allSettled([batched(ctx, 0), batched(ctx, 4)])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await batched(ctx, 5)).toBe(5)
  expect(calls).toEqual([[1, 2], [3], [0, 4], [5]])
})

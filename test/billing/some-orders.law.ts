import { expect, test } from 'vitest'
import { orders, playAll } from './orders.ts'

test('events of a subscription in every ninetieth order: what is stored is what Stripe holds, after each of them', async () => {
  expect(orders).toHaveLength(720)
  await playAll(orders.filter((_, at) => at % 90 === 0))
}, 120_000)

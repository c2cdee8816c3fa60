import { test } from 'vitest'
import { orders, playAll } from './orders.ts'

test('events of a subscription in all 720 orders: what is stored is what Stripe holds, after each of them', async () => {
  await playAll(orders)
}, 900_000)

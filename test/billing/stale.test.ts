import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { dayMs, startBilled } from './billed.ts'

test('a state that was read at Stripe before another one was stored is never stored after it', async () => {
  let disturb: (() => Promise<unknown>) | undefined
  const observe: ObserveFunction = async (effect, run) => {
    const act = disturb
    if (effect.functionName === 'billing-stripe-webhook' && effect.action === 'TransactWriteItems' && act) {
      disturb = undefined
      await act()
    }
    return run()
  }
  const { kit, me, stripe, subscribe, wait, pass, setCard, deliver, deliverAll, subscription } = await startBilled({
    observe,
  })
  await subscribe('team')
  await pass(14 * dayMs)
  await setCard('break')
  const [renewal] = stripe.events().filter(({ type }) => type === 'customer.subscription.updated')
  if (renewal === undefined) throw new Error('Stripe sent no renewal')
  const again = { ...renewal, id: 'evt_again' }
  // While this one is handled, a payment fails, and the events about it are handled first.
  disturb = async () => {
    await wait(31 * dayMs)
    await deliverAll()
  }
  expect(await deliver(again)).toBe(200)
  expect(await subscription()).toMatchObject({ status: 'past_due' })
  // Another event about the same state reports nothing again.
  expect(await deliver({ ...renewal, id: 'evt_later' })).toBe(200)
  kit.clock.pass(3 * minuteMs)
  const { items } = await me().webhooks.listEventLog()
  expect(items.map(({ type }) => type)).toEqual(['workspace.payment_failed'])
})

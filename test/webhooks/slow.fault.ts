import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scheduleOn } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'
import { logOf, makeHook, receivedBy } from './hooks.ts'

const year = 365 * 86_400_000
const events = 40

const until = async (is: () => boolean | Promise<boolean>, withinMs: number) => {
  for (const endAt = Date.now() + withinMs; !(await is()); await sleep(50)) {
    if (Date.now() > endAt) throw new Error(`not so within ${withinMs} ms`)
  }
}

const idsAt = (kit: Kit, name: string) =>
  new Set(receivedBy(kit, name).map(({ headers }) => headers['x-service-event-id']))

test('a slow receiver gets everything, at most 20 concurrently, and delays no other', {
  timeout: 90_000,
}, async () => {
  const kit = await start({ time: 'real' })
  const { id } = await makeHook(kit, 'slow')
  await makeHook(kit, 'quick')
  kit.inbox.behaviors.add({ name: 'slow', times: 30, delayMs: 4000 })
  await scheduleOn(kit, 'bluesky', 'first', year)
  await until(() => idsAt(kit, 'slow').size === 1, 10_000)
  // Known as slow while its first answer is still awaited.
  await sleep(2500)
  expect(await kit.sessionApi.webhooks.get({ params: { id } })).toMatchObject({ status: 'slow', enabled: true })
  for (let n = 1; n < events; n += 1) await scheduleOn(kit, 'bluesky', `text ${n}`, year)
  await until(() => idsAt(kit, 'quick').size === events, 15_000)
  expect(idsAt(kit, 'slow').size).toBeLessThan(events)
  await until(() => idsAt(kit, 'slow').size === events, 60_000)
  const arrivals = receivedBy(kit, 'slow').map(({ receivedAt }) => receivedAt)
  // The first delivery began before the receiver was known as slow, and can still be in flight.
  const limited = arrivals.slice(1)
  const atOnce = limited.map((at) => limited.filter((other) => other <= at && other > at - 4000).length)
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(20)
  expect(arrivals, 'each once').toHaveLength(events)
  const isOver = async () => (await logOf(kit, id)).every(({ status }) => status === 'succeeded')
  await until(isOver, 30_000)
  // One quick answer, and it is like all others again.
  await scheduleOn(kit, 'bluesky', 'last', year)
  const isActive = async () => (await kit.sessionApi.webhooks.get({ params: { id } })).status === 'active'
  await until(isActive, 30_000)
  // Slow once more, and nothing stands still.
  kit.inbox.behaviors.add({ name: 'slow', times: 2, delayMs: 3000 })
  for (let n = 0; n < 4; n += 1) {
    await scheduleOn(kit, 'bluesky', `again ${n}`, year)
    await sleep(1000)
  }
  await until(() => idsAt(kit, 'slow').size === events + 5, 15_000)
})

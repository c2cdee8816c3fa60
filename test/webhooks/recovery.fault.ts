import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notSwept } from '../../shared/db/sweep-at.ts'
import { update } from '../../shared/db/table.ts'
import { minuteMs } from '../../shared/time.ts'
import { isBeyondRecovery, noticeDue, probeWaitMs, recoveryPerSecond } from '../../shared/webhooks/health/policy.ts'
import { healths } from '../../shared/webhooks/health/row.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy } from './hooks.ts'

const always = 100_000

/** An endpoint that six events have made failing, whose receiver is back. */
const park = async (kit: Kit) => {
  const { id } = await makeHook(kit, 'back')
  kit.inbox.behaviors.add({ name: 'back', times: always, status: 500 })
  for (let n = 0; n < 6; n += 1) await emit(kit)
  await kit.service.drain()
  kit.inbox.behaviors.clear()
  return id
}

const healthOf = (kit: Kit, id: string) => healths.get(kit.ctx, { workspaceId: kit.workspaceId, id })

test('a delivery that fails during recovery is retried at its own time and slows the others down', async () => {
  const rampStarts: number[] = []
  const kit: Kit = await start({
    observe: async ({ functionName, service, action }, run) => {
      const answer = await run()
      // As on a real clock, an answer takes its time.
      if (service === 'webhook') kit.clock.pass(1)
      if (functionName === 'drain-endpoint' && action === 'UpdateItem') {
        rampStarts.push((await healthOf(kit, id))?.recovery?.rampStartMs ?? 0)
      }
      return answer
    },
  })
  const id = await park(kit)
  kit.inbox.behaviors.add([
    { name: 'back', times: 1, status: 200 },
    { name: 'back', times: 1, status: 500 },
  ])
  const before = receivedBy(kit, 'back').length
  await kit.service.pass(4 * minuteMs, { tickMinutes: 1 })
  const [probe, ...parked] = receivedBy(kit, 'back').slice(before)
  expect(probe?.answered).toBe(200)
  expect(parked.map(({ answered }) => answered).toSorted()).toEqual([200, 200, 200, 200, 200, 500])
  const failed = parked.find(({ answered }) => answered === 500)
  const again = parked.at(-1)
  expect(again?.headers['x-service-event-id']).toBe(failed?.headers['x-service-event-id'])
  // Its second try: 30 s after, give or take a fifth; that of a parked one was used up before the outage.
  expect((again?.receivedAt ?? 0) - (failed?.receivedAt ?? 0)).toBeGreaterThanOrEqual(24_000)
  expect(Math.max(...rampStarts)).toBeGreaterThan(failed?.receivedAt ?? Number.POSITIVE_INFINITY)
})

test('a delivery about to be parked when the endpoint recovers is not parked', async () => {
  let comesBack = false
  const kit: Kit = await start({
    observe: async ({ functionName, action }, run) => {
      if (comesBack && functionName === 'deliver-webhook' && action === 'TransactWriteItems') {
        comesBack = false
        const key = healths.key({ workspaceId: kit.workspaceId, id })
        // And no drain job is left for it.
        await update(kit.ctx, key, { set: { state: 'active' }, remove: notSwept })
      }
      return run()
    },
  })
  const id = await park(kit)
  comesBack = true
  await emit(kit)
  await kit.service.drain()
  expect(comesBack, 'it was about to be parked').toBe(false)
  const [late] = (await logOf(kit, id)).toReversed()
  await kit.service.pass(3 * minuteMs, { tickMinutes: 1 })
  expect((await logOf(kit, id)).at(-1)).toMatchObject({ id: late?.id, status: 'succeeded' })
})

test('the rate of a recovery rises from 10 to 100 a second and never higher', () => {
  expect([0, 9999, 10_000, 20_000, 30_000, 40_000].map(recoveryPerSecond)).toEqual([10, 10, 20, 40, 80, 100])
  fc.assert(
    fc.property(fc.integer({ min: -1e6, max: 1e12 }), (forMs) => {
      expect(recoveryPerSecond(forMs)).toBeGreaterThanOrEqual(10)
      expect(recoveryPerSecond(forMs)).toBeLessThanOrEqual(100)
    }),
  )
})

test('a probe waits as long as Retry-After asks, up to a day, and never less than its interval', () => {
  expect([0, 1, 2, 3, 100].map((probes) => probeWaitMs(probes) / minuteMs)).toEqual([1, 5, 15, 30, 30])
  expect(probeWaitMs(0, 3600)).toBe(60 * minuteMs)
  expect(probeWaitMs(3, 1)).toBe(30 * minuteMs)
  expect(probeWaitMs(0, 1e9)).toBe(24 * 60 * minuteMs)
})

test('an endpoint is disabled after five days and twenty failures, and its owner is notified after one and three', () => {
  const hour = 60 * minuteMs
  expect([119, 120].map((hours) => isBeyondRecovery(hours * hour, 20))).toEqual([false, true])
  expect([19, 20].map((failures) => isBeyondRecovery(120 * hour, failures))).toEqual([false, true])
  expect([23, 24, 71].map((hours) => noticeDue(hours * hour, 0))).toEqual([undefined, 24, 24])
  expect([24, 71, 72].map((hours) => noticeDue(hours * hour, 24))).toEqual([undefined, undefined, 72])
  expect([100, 72].map((hours) => noticeDue(hours * hour, 72))).toEqual([undefined, undefined])
})

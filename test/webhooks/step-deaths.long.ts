import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy } from './hooks.ts'

const always = 100_000

/** A service in which the steps of an endpoint die once, after their n-th effect: before the next one is the same. */
const startMortal = async () => {
  const effects: string[] = []
  let armed: number | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (effect.functionName !== 'drain-endpoint') return run()
    const at = effects.push(effect.action) - 1
    if (armed !== at) return run()
    await run()
    throw new Crash(`after effect ${at}`)
  }
  const kit = await start({ observe })
  const arm = (point?: number) => {
    effects.length = 0
    armed = point
  }
  return { kit, effects, arm }
}

/** Two events that are parked, and a receiver that is back. */
const parkTwo = async (kit: Kit, name: string) => {
  const { id } = await makeHook(kit, name)
  kit.inbox.behaviors.add({ name, times: always, status: 500 })
  for (let n = 0; n < 5; n += 1) await emit(kit)
  await kit.service.drain()
  expect(await kit.sessionApi.webhooks.get({ params: { id } })).toMatchObject({ status: 'failing' })
  kit.inbox.behaviors.clear()
  return id
}

/** Beyond the lease, the time a message is hidden, and the first probes. */
const settle = (kit: Kit) => kit.service.pass(20 * minuteMs, { tickMinutes: 2 })

test('a crash after any effect of a step loses nothing, duplicates no row, and the step resumes', {
  timeout: 300_000,
}, async () => {
  const { kit, effects, arm } = await startMortal()
  const run = async (name: string, point?: number) => {
    arm()
    const id = await parkTwo(kit, name)
    arm(point)
    await settle(kit)
    const log = await logOf(kit, id)
    const where = point === undefined ? 'no death' : `after effect ${point}: ${effects[point]}`
    const events = [...Map.groupBy(log, ({ eventId }) => eventId).values()]
    expect(events.map((rows) => [where, ...rows.map(({ status }) => status)])).toEqual(
      Array(5).fill([where, 'failed', 'succeeded']),
    )
    const sent = Map.groupBy(receivedBy(kit, name), ({ headers }) => headers['x-service-delivery-id'])
    expect(new Set(sent.keys())).toEqual(new Set(log.map((row) => row.id)))
    // Only a death between a request and its log repeats the request.
    for (const requests of sent.values()) expect(requests.length).toBeLessThanOrEqual(point === undefined ? 1 : 2)
    expect(await kit.sessionApi.webhooks.get({ params: { id } })).toMatchObject({
      status: 'active',
      failingSince: null,
    })
    await kit.sessionApi.webhooks.delete({ params: { id } })
    return [...effects]
  }
  const points = await run('none')
  expect(points.length).toBeGreaterThan(20)
  for (const [at] of points.entries()) await run(`after-${at}`, at)
})

test('a crash anywhere while disabling an endpoint drops its pending deliveries and notifies the owner', {
  timeout: 300_000,
}, async () => {
  const { kit, effects, arm } = await startMortal()
  const run = async (name: string, point?: number) => {
    arm()
    const id = await parkTwo(kit, name)
    kit.inbox.behaviors.add({ name, times: always, status: 410 })
    const mails = kit.mail.outbox().length
    arm(point)
    await kit.service.pass(40 * minuteMs, { tickMinutes: 5 })
    const where = point === undefined ? 'no death' : `after effect ${point}: ${effects[point]}`
    expect({ where, ...(await kit.sessionApi.webhooks.get({ params: { id } })) }).toMatchObject({
      where,
      enabled: false,
      status: 'disabled',
      disabledReason: 'The receiver returned 410 Gone.',
    })
    const log = await logOf(kit, id)
    const events = [...Map.groupBy(log, ({ eventId }) => eventId).values()]
    expect(events.map((rows) => [where, ...rows.map(({ status }) => status)])).toEqual(
      Array(5).fill([where, 'failed', 'discarded']),
    )
    const noticeCount = kit.mail.outbox().length - mails
    expect({ where, isNotified: noticeCount >= 1 && noticeCount <= (point === undefined ? 1 : 2) }).toEqual({
      where,
      isNotified: true,
    })
    await kit.sessionApi.webhooks.delete({ params: { id } })
    return [...effects]
  }
  const points = await run('none')
  for (const [at] of points.entries()) await run(`after-${at}`, at)
})

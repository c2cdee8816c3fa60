import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { emit, logOf, makeHook, receivedBy } from './hooks.ts'

/** More than any test here is answered with. */
const always = 100_000

const stateOf = (kit: Kit, id: string) => kit.sessionApi.webhooks.get({ params: { id } })

/** An endpoint whose receiver is down, found so by five events, and the time of the first. */
const startDown = async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'down')
  kit.inbox.behaviors.add({ name: 'down', times: always, status: 500 })
  const downMs = kit.clock.now() + 1
  for (let n = 0; n < 5; n += 1) await emit(kit)
  await kit.service.drain()
  return { kit, id, downMs: receivedBy(kit, 'down')[0]?.receivedAt ?? downMs }
}

test('five consecutive failures make an endpoint failing: one probe at 1, 5, 15, then every 30 minutes, and other deliveries are parked', async () => {
  const { kit, id, downMs } = await startDown()
  const [oldest] = await logOf(kit, id)
  expect(await stateOf(kit, id)).toMatchObject({ status: 'failing', failingSince: new Date(downMs).toISOString() })
  const probes = () => receivedBy(kit, 'down').slice(5)
  let lastMs = kit.clock.now()
  for (const [n, minutes] of [1, 5, 15, 30, 30].entries()) {
    await emit(kit)
    await kit.service.pass(lastMs + (minutes - 1) * minuteMs - kit.clock.now(), { tickMinutes: minutes })
    expect(probes(), `no probe within ${minutes} minutes`).toHaveLength(n)
    await kit.service.pass(2.1 * minuteMs, { tickMinutes: 1 })
    expect(probes()).toHaveLength(n + 1)
    const atMs = probes().at(-1)?.receivedAt ?? 0
    expect(atMs - lastMs).toBeGreaterThanOrEqual(minutes * minuteMs)
    lastMs = atMs
  }
  const probed = probes().map(({ headers }) => headers['x-service-event-id'])
  expect(new Set(probed), 'the oldest waiting event is the only probe').toEqual(new Set([oldest?.eventId]))
  const { nextProbeAt } = await stateOf(kit, id)
  expect(Date.parse(nextProbeAt ?? '') - lastMs).toBe(30 * minuteMs)
  const pending = await logOf(kit, id, { status: 'pending' })
  expect(pending.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 7])
})

test('after an outage of 40 hours all parked deliveries arrive within half an hour, oldest first, at an increasing rate', {
  timeout: 60_000,
}, async () => {
  const { kit, id } = await startDown()
  const posts: string[] = []
  for (let n = 0; n < 60; n += 1) {
    posts.push((await emit(kit)).id)
    await kit.service.drain()
  }
  await kit.service.pass(40 * hourMs, { tickMinutes: 30 })
  expect(receivedBy(kit, 'down').length).toBeLessThan(100)
  kit.inbox.behaviors.clear()
  const backMs = kit.clock.now()
  const before = receivedBy(kit, 'down').length
  await kit.service.pass(33 * minuteMs, { tickMinutes: 1 })
  const arrived = receivedBy(kit, 'down').slice(before)
  expect(new Set(arrived.map(({ headers }) => headers['x-service-event-id'])).size).toBe(65)
  expect(arrived.every(({ verified }) => verified)).toBe(true)
  const [probe, ...parked] = arrived
  expect((probe?.receivedAt ?? 0) - backMs).toBeLessThanOrEqual(31 * minuteMs)
  const postIds = parked.map(({ rawBody }) => JSON.parse(rawBody).data.postId).slice(4)
  // Within one second they are sent together.
  const startedMs = parked[0]?.receivedAt ?? 0
  const secondOf = ({ receivedAt }: (typeof parked)[number]) => Math.floor((receivedAt - startedMs) / 1000)
  const perSecond = [...Map.groupBy(parked, secondOf).values()].map((group) => group.length)
  expect(perSecond).toEqual([10, 10, 10, 10, 10, 10, 4])
  // The first four of them waited since the outage began; within a second the order is open.
  for (let from = 6; from < 60; from += 10) {
    expect(new Set(postIds.slice(from, from + 10))).toEqual(new Set(posts.slice(from, from + 10)))
  }
  await kit.service.pass(5 * minuteMs, { tickMinutes: 2 })
  expect(await stateOf(kit, id)).toMatchObject({ status: 'active', failingSince: null, nextProbeAt: null })
  expect(await logOf(kit, id, { status: 'pending' })).toEqual([])
})

test('respects the Retry-After of a receiver before the next probe', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'down')
  kit.inbox.behaviors.add({ name: 'down', times: always, status: 503, retryAfter: '7200' })
  for (let n = 0; n < 5; n += 1) await emit(kit)
  await kit.service.drain()
  expect(await stateOf(kit, id)).toMatchObject({ status: 'failing' })
  await kit.service.pass(119 * minuteMs, { tickMinutes: 10 })
  expect(receivedBy(kit, 'down')).toHaveLength(5)
  await kit.service.pass(3 * minuteMs, { tickMinutes: 1 })
  expect(receivedBy(kit, 'down')).toHaveLength(6)
})

test('a parked delivery fails exactly 76 h 42 m after its first attempt', { timeout: 60_000 }, async () => {
  const { kit, id } = await startDown()
  await emit(kit)
  await kit.service.drain()
  await kit.service.pass(76 * hourMs, { tickMinutes: 120 })
  expect((await logOf(kit, id, { status: 'exhausted' })).length).toBe(0)
  await kit.service.pass(2 * hourMs, { tickMinutes: 10 })
  const over = await logOf(kit, id, { status: 'exhausted' })
  expect(new Set(over.map(({ eventId }) => eventId)).size).toBe(6)
  expect(await logOf(kit, id, { status: 'pending' })).toEqual([])
  // Nothing is left to probe with; the next event is the probe.
  kit.inbox.behaviors.clear()
  await emit(kit)
  await kit.service.drain()
  expect((await logOf(kit, id)).at(-1)).toMatchObject({ status: 'succeeded', attempt: 1 })
  expect(await stateOf(kit, id)).toMatchObject({ status: 'active', failingSince: null })
})

test('disables an endpoint after five days without a success and notifies its owner; enabling it starts over', {
  timeout: 120_000,
}, async () => {
  const { kit, id, downMs } = await startDown()
  const mails = () => kit.mail.outbox().map(({ to, subject }) => [to, subject])
  for (let day = 0; day < 4; day += 1) {
    await kit.service.pass(24 * hourMs, { tickMinutes: 60 })
    await emit(kit)
    await kit.service.drain()
  }
  expect(await stateOf(kit, id)).toMatchObject({ status: 'failing', enabled: true })
  const about = (hours: number) => [[kit.user.email], `A webhook endpoint has been failing for ${hours} hours`]
  expect(mails()).toEqual([about(24), about(72)])
  await kit.service.pass(26 * hourMs, { tickMinutes: 60 })
  const off = await stateOf(kit, id)
  expect(off).toMatchObject({
    status: 'disabled',
    enabled: false,
    disabledReason: 'No delivery succeeded for five days.',
  })
  const hours = (Date.parse(off.disabledAt ?? '') - downMs) / hourMs
  expect(hours).toBeGreaterThanOrEqual(120)
  expect(hours).toBeLessThan(122)
  expect(mails()).toEqual([about(24), about(72), [[kit.user.email], 'A webhook endpoint was disabled']])
  expect(await logOf(kit, id, { status: 'pending' })).toEqual([])
  const sofar = receivedBy(kit, 'down').length
  await emit(kit)
  await kit.service.pass(hourMs, { tickMinutes: 5 })
  expect(receivedBy(kit, 'down')).toHaveLength(sofar)
  kit.inbox.behaviors.clear()
  const on = await kit.sessionApi.webhooks.update({ params: { id }, body: { enabled: true } })
  expect(on).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null, failingSince: null })
  await emit(kit)
  await kit.service.drain()
  expect(receivedBy(kit, 'down')).toHaveLength(sofar + 1)
  // One failure is one of five again.
  kit.inbox.behaviors.add({ name: 'down', times: 1, status: 500 })
  await kit.service.pass(2 * minuteMs, { tickMinutes: 1 })
  await emit(kit)
  await kit.service.drain()
  expect(await stateOf(kit, id)).toMatchObject({ status: 'active', enabled: true })
})

test('a test or a new URL ends the parking immediately', async () => {
  const { kit, id } = await startDown()
  await emit(kit)
  await kit.service.drain()
  kit.inbox.behaviors.clear()
  const before = receivedBy(kit, 'down').length
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await kit.service.pass(10_000)
  const after = receivedBy(kit, 'down').slice(before)
  expect(after.map(({ rawBody }) => JSON.parse(rawBody).data.test === true)).toEqual([true, ...Array(6).fill(false)])
  kit.inbox.behaviors.add({ name: 'down', times: always, status: 500 })
  await kit.service.pass(2 * minuteMs, { tickMinutes: 1 })
  for (let n = 0; n < 5; n += 1) await emit(kit)
  await kit.service.drain()
  expect(await stateOf(kit, id)).toMatchObject({ status: 'failing' })
  const url = `${kit.service.inboxUrl}/hooks/new`
  await kit.sessionApi.webhooks.update({ params: { id }, body: { url } })
  await kit.service.pass(70_000, { tickMinutes: 1 })
  expect(receivedBy(kit, 'new')).toHaveLength(5)
})

test('a failed test does not count', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'down')
  kit.inbox.behaviors.add({ name: 'down', times: 6, status: 500 })
  for (let n = 0; n < 6; n += 1) {
    await kit.sessionApi.webhooks.sendTest({ params: { id } })
    await kit.service.pass(61_000)
  }
  expect(receivedBy(kit, 'down')).toHaveLength(6)
  expect(await stateOf(kit, id)).toMatchObject({ status: 'active', failingSince: null })
})

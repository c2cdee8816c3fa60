import { expect, test } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { makeDevice, phone } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'

const rowsOf = async (kit: Kit) => (await scanTable(kit)).filter(({ type }) => type === 'Push')
const callsTo = (kit: Kit, operation: string) => kit.push.calls().filter((call) => call.operation === operation)
const atMs = (kit: Kit, operation: string) => callsTo(kit, operation).map(({ at }) => at)

/** A test message to one device, and what went on in the given time. */
const sendWith = async (device: 'web_push' | 'expo_send', fault: Omit<FaultInput, 'platform'>, passMs: number) => {
  const kit = await start()
  if (device === 'web_push') await makeDevice(kit)
  else await kit.sessionApi.notifications.registerDevice({ body: phone() })
  kit.push.faults.add({ platform: 'push', operation: device, ...fault })
  await kit.sessionApi.notifications.sendTest()
  await kit.service.pass(passMs)
  return kit
}

const huge = 'x'.repeat(1_000_000)

const faults: ['web_push' | 'expo_send', Omit<FaultInput, 'platform'>][] = [
  ['web_push', { times: 2, fault: 'status', status: 500 }],
  ['web_push', { times: 1, fault: 'html_503' }],
  ['web_push', { times: 1, fault: 'reset_before' }],
  ['web_push', { times: 1, fault: 'reset_after' }],
  ['web_push', { times: 1, fault: 'hang' }],
  ['web_push', { times: 1, fault: 'status', status: 503, body: huge }],
  ['expo_send', { times: 2, fault: 'status', status: 502 }],
  ['expo_send', { times: 1, fault: 'html_503' }],
  ['expo_send', { times: 1, fault: 'reset_before' }],
  ['expo_send', { times: 1, fault: 'hang' }],
  ['expo_send', { times: 1, fault: 'wrong_json', landed: false }],
  ['expo_send', { times: 1, fault: 'truncated_json', landed: false }],
  ['expo_send', { times: 1, fault: 'wrong_json', landed: false, body: { data: [] } }],
  ['expo_send', { times: 1, fault: 'wrong_json', landed: false, body: huge }],
  [
    'expo_send',
    {
      times: 1,
      fault: 'wrong_json',
      landed: false,
      body: { data: [{ status: 'error', details: { error: 'MessageRateExceeded' } }] },
    },
  ],
]

test.each(everyNth(3, faults))('%s: after %o the message arrives once, and its row is gone', async (device, fault) => {
  const kit = await sendWith(device, fault, 20 * minuteMs)
  expect(kit.push.messages()).toHaveLength(1)
  expect(callsTo(kit, device)).toHaveLength((fault.times ?? 0) + 1)
  expect(await rowsOf(kit)).toEqual([])
})

test.each(['web_push', 'expo_send'] as const)('%s: a slow response is waited for', async (device) => {
  const kit = await sendWith(device, { times: 1, fault: 'slow', delayMs: 500 }, 20 * minuteMs)
  expect(kit.push.messages()).toHaveLength(1)
  expect(callsTo(kit, device)).toHaveLength(1)
  expect(await rowsOf(kit)).toEqual([])
})

test('a lost response leads to a repeat with the same tag, which replaces the first message on the device', async () => {
  const kit = await sendWith('web_push', { times: 1, fault: 'landed_then_reset' }, 5 * minuteMs)
  const shown = kit.push.messages()
  expect(shown).toHaveLength(2)
  expect(new Set(shown.map(({ tag, topic }) => `${tag} ${topic}`)).size).toBe(1)
  expect(shown[0]?.topic).toBe(shown[0]?.tag)
})

test.each(['web_push', 'expo_send'] as const)('%s: Retry-After is obeyed', async (device) => {
  const kit = await sendWith(device, { times: 1, fault: 'rate_limited', retryAfterSeconds: 600 }, 9 * minuteMs)
  expect(callsTo(kit, device)).toHaveLength(1)
  await kit.service.pass(3 * minuteMs)
  const [first = 0, second = 0] = atMs(kit, device)
  expect(second - first).toBeGreaterThanOrEqual(600_000)
  expect(kit.push.messages()).toHaveLength(1)
})

test('a service that is down gets five calls, each later than the one before, and the message is given up', async () => {
  const kit = await sendWith('web_push', { times: 100, fault: 'status', status: 503 }, 90 * minuteMs)
  const times = atMs(kit, 'web_push')
  const waits = times.slice(1).map((at, n) => Math.round((at - (times[n] ?? 0)) / 1000))
  expect(waits.map((wait, n) => wait >= ([30, 120, 480, 1_800][n] ?? Number.POSITIVE_INFINITY))).toEqual([
    true,
    true,
    true,
    true,
  ])
  expect(await rowsOf(kit)).toEqual([])
  expect((await kit.sessionApi.notifications.listDevices()).total).toBe(1)
})

test.each([404, 410])('a browser that its push service answers with %i is removed', async (status) => {
  const kit = await sendWith('web_push', { times: 1, fault: 'status', status }, minuteMs)
  expect((await kit.sessionApi.notifications.listDevices()).total).toBe(0)
  expect(await rowsOf(kit)).toEqual([])
})

test.each([
  400, 403, 413,
])('a message that is answered with %i is not sent again, and the browser stays', async (status) => {
  const kit = await sendWith('web_push', { times: 1, fault: 'status', status }, 10 * minuteMs)
  expect(callsTo(kit, 'web_push')).toHaveLength(1)
  expect((await kit.sessionApi.notifications.listDevices()).total).toBe(1)
  expect(kit.logged.join('\n')).toContain('a push message was rejected')
})

test.each(['ticket', 'receipt'] as const)('an app that Expo does not know in its %s is removed', async (source) => {
  const kit = await start()
  const { notifications } = kit.sessionApi
  const [gone, remaining] = [phone(), phone()]
  for (const body of [gone, remaining]) await notifications.registerDevice({ body })
  kit.push.removeApp(gone.token, source)
  await notifications.sendTest()
  await kit.service.drain()
  expect(callsTo(kit, 'expo_send')).toHaveLength(1)
  expect((await notifications.listDevices()).total).toBe(source === 'ticket' ? 1 : 2)
  await kit.service.pass(17 * minuteMs)
  expect((await notifications.listDevices()).total).toBe(1)
  expect(callsTo(kit, 'expo_receipts')).toHaveLength(1)
  expect(await rowsOf(kit)).toEqual([])
})

test('an unreadable receipt is requested again, and the message is not sent again', async () => {
  const kit = await start()
  await kit.sessionApi.notifications.registerDevice({ body: phone() })
  kit.push.faults.add({ platform: 'push', operation: 'expo_receipts', times: 2, fault: 'status', status: 500 })
  await kit.sessionApi.notifications.sendTest()
  await kit.service.pass(60 * minuteMs)
  expect(callsTo(kit, 'expo_send')).toHaveLength(1)
  expect(callsTo(kit, 'expo_receipts')).toHaveLength(3)
  expect(await rowsOf(kit)).toEqual([])
})

test('doubled messages of the queue send nothing twice', async () => {
  const kit = await start()
  await makeDevice(kit)
  await kit.sessionApi.notifications.sendTest()
  const [row] = await rowsOf(kit)
  const body = JSON.stringify({ pushes: [{ userId: kit.user.id, id: row?.['id'] }] })
  for (let n = 0; n < 5; n += 1)
    kit.service.queues.send('social-local-notify', { MessageBody: body, MessageGroupId: kit.user.id })
  await kit.service.drain()
  expect(callsTo(kit, 'web_push')).toHaveLength(1)
  expect(kit.push.messages()).toHaveLength(1)
})

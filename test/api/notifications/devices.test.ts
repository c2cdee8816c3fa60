import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeDevice, makeGuest, phone } from '../../support/world/preparations.ts'

const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }

const another = async (kit: Kit) => client({ baseUrl: kit.url, token: (await makeGuest(kit)).session })

/** The functions see no push provider. */
const turnOff = (kit: Kit, ...names: readonly string[]) => {
  for (const functionName of ['status', 'send-test', 'register-device']) {
    const ctx = kit.service.contextOf(`notifications-${functionName}`)
    const { env } = ctx
    ctx.env = (name) => (names.includes(name) ? '' : env(name))
  }
}

test('a device is registered once, however often, and keeps its name and time', async () => {
  const kit = await start()
  const { notifications } = kit.sessionApi
  const body = phone()
  const made = await notifications.registerDevice({ body })
  expect(made).toMatchObject({ kind: 'expo', platform: 'ios', name: 'Phone' })
  kit.clock.pass(60_000)
  const { name: _, ...unnamed } = body
  expect(await notifications.registerDevice({ body: unnamed })).toEqual(made)
  expect(await notifications.registerDevice({ body: { ...body, name: 'Old phone' } })).toEqual({
    ...made,
    name: 'Old phone',
  })
  const at = await Promise.all(Array.from({ length: 5 }, () => notifications.registerDevice({ body })))
  expect(new Set(at.map(({ id }) => id))).toEqual(new Set([made.id]))
  expect(await notifications.listDevices()).toMatchObject({ items: [{ id: made.id }], total: 1 })
  expect(await notifications.status()).toMatchObject({
    configured: true,
    deviceCount: 1,
    vapidPublicKey: expect.stringMatching(/^B[\w-]{86}$/),
  })
})

test('a device moves to the person who registers it last, with its messages', async () => {
  const kit = await start()
  const { id } = await makeDevice(kit)
  const [{ endpoint = '' } = {}] = kit.push.subscriptions()
  const stranger = await another(kit)
  await stranger.notifications.registerDevice({ body: { endpoint, keys } })
  expect((await kit.sessionApi.notifications.listDevices()).items).toEqual([])
  expect((await stranger.notifications.listDevices()).items).toMatchObject([{ id }])
  await expect(kit.sessionApi.notifications.sendTest({ body: { deviceId: id } })).rejects.toMatchObject({ status: 404 })
  await expect(kit.sessionApi.notifications.sendTest()).rejects.toMatchObject({ status: 409, code: 'no_device' })
})

test('a removed device gets nothing any more, and can be registered by another person', async () => {
  const kit = await start()
  const { notifications } = kit.sessionApi
  const { id } = await makeDevice(kit)
  await notifications.sendTest()
  expect(await notifications.deleteDevice({ params: { id } })).toEqual({ id, deleted: true })
  await kit.service.drain()
  expect(kit.push.messages()).toEqual([])
  await expect(notifications.deleteDevice({ params: { id } })).rejects.toMatchObject({
    status: 404,
    code: 'device_not_found',
  })
  const [{ endpoint = '' } = {}] = kit.push.subscriptions()
  expect(await (await another(kit)).notifications.registerDevice({ body: { endpoint, keys } })).toMatchObject({ id })
})

test('a person has at most as many devices as the quota says', async () => {
  const kit = await start({ quotas: { notificationDevices: 2 } })
  const { notifications } = kit.sessionApi
  const first = phone()
  for (const body of [first, phone()]) await notifications.registerDevice({ body })
  await expect(notifications.registerDevice({ body: phone() })).rejects.toMatchObject({
    status: 409,
    code: 'quota_exceeded',
  })
  expect(await notifications.registerDevice({ body: first })).toMatchObject({ name: 'Phone' })
})

const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/abc'

test('without a provider the routes say so, and list nothing that could be used', async () => {
  const kit = await start()
  turnOff(kit, 'VAPID_PUBLIC_KEY', 'EXPO_ORIGIN')
  const { notifications } = kit.sessionApi
  expect(await notifications.status()).toEqual({ configured: false, deviceCount: 0, vapidPublicKey: null })
  const refusal = { status: 503, code: 'push_not_configured' }
  await expect(notifications.sendTest()).rejects.toMatchObject(refusal)
  await expect(notifications.registerDevice({ body: phone() })).rejects.toMatchObject(refusal)
})

test('with one provider only its devices are accepted', async () => {
  const kit = await start()
  turnOff(kit, 'VAPID_PUBLIC_KEY')
  const { notifications } = kit.sessionApi
  expect(await notifications.registerDevice({ body: phone() })).toMatchObject({ kind: 'expo' })
  const body = { endpoint, keys }
  await expect(notifications.registerDevice({ body })).rejects.toMatchObject({
    status: 503,
    code: 'push_not_configured',
  })
})

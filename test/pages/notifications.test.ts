import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { channels, notificationKinds } from '../../shared/notifications/kinds.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSession, phone } from '../support/world/preparations.ts'
import { browserOf, hiddenIn, type Seen } from './test-browser.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
}, 60_000)
afterAll(() => kit.close())

const open = async () => {
  const token = await makeSession(kit)
  const someone = browserOf(kit, token)
  const { notifications } = client({ baseUrl: kit.url, token })
  return { someone, notifications, seen: await someone.open('/notifications') }
}

/** What every form of the page sends. */
const keyOf = (seen: Seen) => ({ form_key: hiddenIn(seen, 'notifications')['form_key'] ?? '' })

test('a browser registers itself, is listed, gets a test, and is removed', async () => {
  const { someone, notifications, seen } = await open()
  const { vapidPublicKey } = await notifications.status()
  expect(seen.text).toContain(`data-key="${vapidPublicKey}"`)
  const { endpoint, keys } = kit.push.subscribe(vapidPublicKey ?? '')
  const register = { ...keyOf(seen), act: 'register', endpoint, ...keys, name: 'Chrome on Linux' }
  expect((await someone.send('/notifications', register)).to).toBe('/notifications?done=register')
  const [device] = (await notifications.listDevices()).items
  expect(device).toMatchObject({ kind: 'web_push', platform: 'web', name: 'Chrome on Linux' })
  const listed = await someone.open('/notifications?done=register')
  expect(listed.text).toContain('Chrome on Linux')
  expect(listed.text).toContain('This browser gets notifications.')
  await someone.send('/notifications', { ...keyOf(seen), act: 'test' })
  await kit.service.drain()
  expect(kit.push.messages().map(({ to, title }) => [to, title])).toEqual([[endpoint, 'Test notification']])
  await someone.send('/notifications', { ...keyOf(seen), act: 'remove', device: device?.id ?? '' })
  expect((await notifications.listDevices()).items).toEqual([])
})

test('the settings are saved without the script: a box that is not sent is off', async () => {
  const { someone, notifications, seen } = await open()
  expect(seen.text.match(/type="checkbox"[^>]* checked/g)).toHaveLength(channels.length * notificationKinds.length)
  const boxes = { 'post.publish_failed:push': 'on', 'workspace.payment_failed:mail': 'on' }
  await someone.send('/notifications', { ...keyOf(seen), act: 'save', ...boxes })
  const settings = await notifications.getSettings()
  expect(settings['post.publish_failed']).toEqual({ push: true, mail: false })
  expect(settings['workspace.payment_failed']).toEqual({ push: false, mail: true })
  expect(settings['webhook_endpoint.failing']).toEqual({ push: false, mail: false })
  const { text } = await someone.open('/notifications')
  expect(text.match(/type="checkbox"[^>]* checked/g)).toHaveLength(2)
})

test('a refusal shows the page again with its sentence, and a stranger must sign in first', async () => {
  const { someone, notifications, seen } = await open()
  await notifications
    .listDevices()
    .then(({ items }) => Promise.all(items.map(({ id }) => notifications.deleteDevice({ params: { id } }))))
  const refused = await someone.send('/notifications', { ...keyOf(seen), act: 'test' })
  expect([refused.status, refused.heading]).toEqual([409, 'Notifications'])
  expect(refused.text).toContain('You have no device. Register one first.')
  const twice = await someone.send('/notifications', { ...keyOf(seen), act: 'register', endpoint: 'http://10.0.0.1/' })
  expect(twice.status).toBe(400)
  expect((await browserOf(kit).open('/notifications')).to).toBe('/login?return=%2Fnotifications')
  await notifications.registerDevice({ body: phone() })
  const name = (await someone.open('/notifications')).text
  expect(name).toContain('Phone')
})

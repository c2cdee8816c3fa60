import { expect, test } from 'vitest'
import { start } from '../../support/start.ts'
import { makeDevice, phone } from '../../support/world/preparations.ts'

test('a test notification reaches a browser encrypted, and an app by Expo', async () => {
  const kit = await start()
  const browser = await makeDevice(kit)
  const app = phone()
  const { id } = await kit.sessionApi.notifications.registerDevice({ body: app })
  const sent = await kit.sessionApi.notifications.sendTest({ body: { title: 'Hello', body: 'World' } })
  expect(sent).toEqual({ deviceIds: [browser.id, id] })
  await kit.service.drain()
  const shown = kit.push.messages()
  expect(shown).toMatchObject([
    { kind: 'web_push', title: 'Hello', body: 'World', ttl: 86_400, urgency: 'high', url: `${kit.url}/notifications` },
    { kind: 'expo', to: app.token, title: 'Hello', body: 'World' },
  ])
  expect(Buffer.from(shown[0]?.encrypted ?? '', 'base64url').toString('latin1')).not.toContain('Hello')
})

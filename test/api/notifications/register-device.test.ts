import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../../support/start.ts'

const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const keys = { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }

let kit: Kit
beforeAll(async () => {
  kit = await start()
}, 60_000)
afterAll(() => kit.close())

const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/abc'
const token = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]'

test.each<[string, Record<string, unknown>, string]>([
  ['nothing', {}, 'token'],
  ['both forms', { token, endpoint, keys }, 'token'],
  ['another token', { token: 'fcm:abc' }, 'token'],
  ['no keys', { endpoint }, 'keys'],
  ['a platform of a browser', { endpoint, keys, platform: 'ios' }, 'platform'],
  ['a short key', { endpoint, keys: { ...keys, p256dh: 'BAAA' } }, 'keys.p256dh'],
  ['a point that is not on the curve', { endpoint, keys: { ...keys, p256dh: `BA${'A'.repeat(85)}` } }, 'keys.p256dh'],
  ['a short secret', { endpoint, keys: { ...keys, auth: 'AAAA' } }, 'keys.auth'],
  ['a private address', { endpoint: 'https://10.0.0.1/push', keys }, 'endpoint'],
  ['no https', { endpoint: 'http://push.example.com/a', keys }, 'endpoint'],
  ['a name of two lines', { token, name: 'a\nb' }, 'name'],
  ['a name with half of a character', { token, name: '\ud800' }, 'name'],
])('a registration with %s is rejected', async (_, body, field) => {
  const answer = await fetch(`${kit.url}/api/user/devices`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${kit.sessionToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ field })
})

test.each([
  'ExpoPushToken[a-B_9]',
  '3a1b2C4d-0f11-4e22-9a33-b44c55d66e77',
])('a token of the form %s is accepted', async (form) => {
  const answer = await fetch(`${kit.url}/api/user/devices`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${kit.sessionToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: form, platform: 'ios' }),
  })
  expect(answer.status).toBe(201)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiError, client } from '../../functions/client.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { random62 } from '../../shared/ids.ts'
import { type Kit, start } from '../support/start.ts'
import { browserOf, hiddenIn, unescaped } from './test-browser.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const device = () => client({ baseUrl: kit.url }).cli
const poll = (deviceCode: string) =>
  device()
    .pollDeviceLogin({ body: { deviceCode } })
    .then(
      ({ user }) => user.id,
      (error: ApiError) => String(error.body['code']),
    )

/** A signed-in user with a browser. */
const person = async (name = 'Ann') => {
  const userId = random62(12)
  const { token } = await openSession(kit.ctx, { userId, email: `${userId}@mail.test`, name, userAgent: 'browser' })
  const browser = browserOf(kit, token)
  const type = async (code: string) => browser.submit(await browser.open('/device'), 'device', { user_code: code })
  return { userId, ...browser, type }
}

test('a link fills in the code, and the person still submits and approves it', async () => {
  const { deviceCode, userCode, verificationUriComplete } = await device().startDeviceLogin({
    body: { clientName: 'social <cli>' },
  })
  const { userId, open, submit } = await person()
  const form = await open(new URL(verificationUriComplete).pathname + new URL(verificationUriComplete).search)
  expect(form.heading).toBe('Sign in a device')
  expect(form.text).toContain(`value="${userCode}"`)
  const typed = await submit(form, 'device', { user_code: userCode.toLowerCase().replace('-', ' ') })
  expect(typed.to).toBe(`/device?user_code=${userCode}`)
  const question = await open(typed.to ?? '')
  expect(question.heading).toBe('Did you start this?')
  expect(question.text).toContain('<dd>social &lt;cli&gt;</dd>')
  for (const value of [userCode, 'node', '127.0.0.1', new Date(kit.clock.now()).toUTCString()]) {
    expect(unescaped(question.text)).toContain(`<dd>${value}</dd>`)
  }
  expect(await poll(deviceCode)).toBe('authorization_pending')
  kit.clock.pass(5_000)
  const answered = await submit(question, 'device-answer', { answer: 'approved' })
  expect((await open(answered.to ?? '')).heading).toBe('Your device is signed in')
  expect(await poll(deviceCode)).toBe(userId)
  expect((await open(answered.to ?? '')).heading).toBe('Your device is signed in')
})

test('denying a login ends it', async () => {
  const { deviceCode, userCode } = await device().startDeviceLogin()
  const { open, submit, type } = await person()
  const question = await open((await type(userCode)).to ?? '')
  const answered = await submit(question, 'device-answer', { answer: 'denied' })
  expect((await open(answered.to ?? '')).heading).toBe('Refused')
  const changed = await submit(question, 'device-answer', { answer: 'approved' })
  expect(changed.status).toBe(409)
  expect(await poll(deviceCode)).toBe('access_denied')
})

test('a login cannot be seen or answered without entering its code', async () => {
  const { deviceCode, userCode } = await device().startDeviceLogin({ body: { clientName: 'secretive' } })
  const [ann, bob] = [await person(), await person('Bob')]
  await ann.type(userCode)
  const seen = await bob.open(`/device?user_code=${userCode}`)
  expect(seen.heading).toBe('Sign in a device')
  expect(seen.text).not.toContain('secretive')
  const keys = hiddenIn(seen, 'device')
  const answered = await bob.send('/device-answer', { ...keys, user_code: userCode, answer: 'approved' })
  expect(answered.status).toBe(400)
  expect(await poll(deviceCode)).toBe('authorization_pending')
})

test('a login belongs to the person who approved it, whoever enters its code afterwards', async () => {
  const { deviceCode, userCode } = await device().startDeviceLogin()
  const [ann, bob] = [await person(), await person('Bob')]
  const question = await ann.open((await ann.type(userCode)).to ?? '')
  await ann.submit(question, 'device-answer', { answer: 'approved' })
  await bob.type(userCode)
  const late = { ...hiddenIn(await bob.open('/workspaces'), 'sign-out'), user_code: userCode, answer: 'approved' }
  expect((await bob.send('/device-answer', late)).status).toBe(409)
  expect(await poll(deviceCode)).toBe(ann.userId)
})

test('a code expires after ten minutes, and its question cannot be answered anymore', async () => {
  const { userCode } = await device().startDeviceLogin()
  const { open, submit, type } = await person()
  const question = await open((await type(userCode)).to ?? '')
  kit.clock.pass(600_000)
  expect((await open(`/device?user_code=${userCode}`)).heading).toBe('Too late')
  expect((await submit(question, 'device-answer', { answer: 'approved' })).status).toBe(409)
  expect((await type(userCode)).status).toBe(400)
})

test('five codes of concurrent attempts are checked, then the caller must wait; correct codes do not count', async () => {
  const { type } = await person()
  for (let n = 0; n < 7; n += 1) {
    const { userCode } = await device().startDeviceLogin()
    expect((await type(userCode)).status).toBe(303)
  }
  const tries = await Promise.all(Array.from({ length: 12 }, () => type('BCDFGHJK')))
  expect(tries.map(({ status }) => status).sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(429)])
  const waiting = tries.find(({ status }) => status === 429)
  expect(waiting?.headers.get('Retry-After')).toBe('900')
  expect(waiting?.text).toContain('Too many wrong codes')
  const { userCode } = await device().startDeviceLogin()
  expect((await type(userCode)).status).toBe(429)
  expect((await (await person()).type(userCode)).status).toBe(303)
  kit.clock.pass(900_000)
  const { userCode: later } = await device().startDeviceLogin()
  expect((await type(later)).status).toBe(303)
})

test.each([
  '',
  'BCDF',
  'AEIO-UAEI',
  'BCDF-GHJK-L',
  '1234-5678',
])('%j is rejected as a code and does not count as an attempt', async (typed) => {
  const { type } = await person()
  for (let n = 0; n < 6; n += 1) {
    const seen = await type(typed)
    expect(seen.status).toBe(400)
    expect(seen.text).toContain('A code has eight letters')
  }
})

import { expect, test } from 'vitest'
import type { Effect, Observe } from '../../../shared/context.ts'
import { answerDeviceLogin, claimUserCode } from '../../../shared/identity/answer-device-login.ts'
import { deviceLogins } from '../../../shared/identity/device-login.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { pollDeviceLogin } from '../../../shared/identity/poll-device-login.ts'
import { hashUserCode, readUserCode, userCodes } from '../../../shared/identity/user-code.ts'
import { digest, random62 } from '../../../shared/ids.ts'
import { serveFile, startClient } from '../auth/client.ts'

serveFile()

const startDevice = async (body?: object) => {
  const client = startClient()
  const { send, ctx } = client
  const started = await send('POST', '/api/cli/auth/start', { body })
  const { deviceCode, userCode } = started.body.data
  const poll = (code = deviceCode) => send('POST', '/api/cli/auth/poll', { body: { deviceCode: code } })
  const [email, userId] = [client.newAddress(), random62(12)]
  const { session } = await openSession(ctx, { email, userId, name: 'Ann', userAgent: 'browser' })
  const answer = async (decision: 'approved' | 'denied') => {
    await claimUserCode(ctx, session, userCode)
    await answerDeviceLogin(ctx, session, userCode, decision)
  }
  return { ...client, started, deviceCode, userCode, poll, answer, userId, email }
}

const refused = (code: string) => ({ status: 400, body: { success: false, code } })

test('returns the codes, the verification URL, and the polling interval', async () => {
  const { started, userCode, deviceCode, ctx } = await startDevice({ clientName: 'social-cli' })
  const verificationUri = `${ctx.env('BASE_URL')}/device`
  expect(started).toMatchObject({ status: 200 })
  expect(started.body.data).toEqual({
    deviceCode,
    userCode,
    verificationUri,
    verificationUriComplete: `${verificationUri}?user_code=${userCode}`,
    expiresIn: 600,
    interval: 5,
  })
  expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(deviceCode).toMatch(/^[0-9A-Za-z]{43}$/)
})

test('the table stores no code in plain text', async () => {
  const { userCode, deviceCode, ctx } = await startDevice()
  const code = await userCodes.get(ctx, { codeHash: hashUserCode(readUserCode(userCode) ?? '') })
  const login = await deviceLogins.get(ctx, { deviceHash: digest(deviceCode) })
  expect(login?.status).toBe('pending')
  const rows = JSON.stringify([code, login])
  expect(rows).not.toContain(deviceCode)
  expect(rows).not.toContain(userCode.replace('-', ''))
})

test('polling is pending until approval, then returns a session once', async () => {
  const { poll, answer, clock, send, userId, email } = await startDevice()
  expect(await poll()).toMatchObject(refused('authorization_pending'))
  await answer('approved')
  clock.pass(5_000)
  const { status, body, headers } = await poll()
  expect(status).toBe(200)
  expect(body.data).toEqual({
    redirect: false,
    token: expect.stringMatching(/^svc_ses_/),
    user: { id: userId, email, name: 'Ann', emailVerified: true },
  })
  expect(headers.get('set-auth-token')).toBe(body.data.token)
  const session = await send('GET', '/api/auth/get-session', { token: body.data.token })
  expect(session.body.data.session.userAgent).toBe('node')
  clock.pass(5_000)
  expect(await poll()).toMatchObject(refused('expired_token'))
})

test('concurrent polls of an approved login return one session', async () => {
  const { poll, answer, send } = await startDevice()
  await answer('approved')
  const answers = await Promise.all(Array.from({ length: 8 }, () => poll()))
  const tokens = answers.flatMap(({ status, body }) => (status === 200 ? [body.data.token] : []))
  expect(tokens).toHaveLength(1)
  const list = await send('GET', '/api/auth/sessions', { token: tokens[0] })
  // The one that approved, and the one of the device.
  expect(list.body.data.total).toBe(2)
})

test('two polls that both see the approval still return one session', async () => {
  const { answer, ctx, deviceCode } = await startDevice()
  await answer('approved')
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let arrived = 0
  // Each waits before its session until the other has come as far.
  const observe: Observe = async (effect, run) => {
    if (effect.action !== 'TransactWriteItems') return run()
    arrivals[arrived === 0 ? 0 : 1].resolve()
    arrived += 1
    await arrivals[1].promise
    return run()
  }
  const pollAt = (ms: number) =>
    pollDeviceLogin({ ...ctx, observe, clock: { ...ctx.clock, now: () => ctx.clock.now() + ms } }, deviceCode, 'node')
  const first = pollAt(0)
  await arrivals[0].promise
  const polls = await Promise.allSettled([first, pollAt(60_000)])
  expect(polls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = polls.find((poll) => poll.status === 'rejected')
  expect(lost?.reason).toMatchObject({ details: { code: 'expired_token' } })
})

test('polling too soon returns slow_down and nothing else', async () => {
  const { poll, answer, clock } = await startDevice()
  expect(await poll()).toMatchObject(refused('authorization_pending'))
  clock.pass(3_999)
  expect(await poll()).toMatchObject(refused('slow_down'))
  await answer('approved')
  clock.pass(3_999)
  expect(await poll()).toMatchObject(refused('slow_down'))
  clock.pass(4_000)
  expect((await poll()).status).toBe(200)
})

test('a poll costs one write', async () => {
  const { ctx, deviceCode } = await startDevice()
  const effects: Effect[] = []
  const observe: Observe = (effect, run) => {
    effects.push(effect)
    return run()
  }
  await expect(pollDeviceLogin({ ...ctx, observe }, deviceCode, 'node')).rejects.toMatchObject({
    details: { code: 'authorization_pending' },
  })
  expect(effects.map(({ action }) => action)).toEqual(['UpdateItem'])
})

test('a denied login stays denied', async () => {
  const { poll, answer, clock } = await startDevice()
  await answer('denied')
  expect(await poll()).toMatchObject(refused('access_denied'))
  await expect(answer('approved')).rejects.toMatchObject({ details: { code: 'device_login_expired' } })
  clock.pass(5_000)
  expect(await poll()).toMatchObject(refused('access_denied'))
})

test('after ten minutes a login can be neither approved nor fetched', async () => {
  const { poll, answer, clock } = await startDevice()
  clock.pass(600_000)
  expect(await poll()).toMatchObject(refused('expired_token'))
  await expect(answer('approved')).rejects.toMatchObject({ details: { code: 'invalid_user_code' } })
})

test('a device approved in time can sign in until ten minutes after its start', async () => {
  const { poll, answer, clock } = await startDevice()
  await answer('approved')
  clock.pass(600_000)
  expect(await poll()).toMatchObject(refused('expired_token'))
})

test('an unknown device code gets the response of an expired one', async () => {
  const { poll } = await startDevice()
  for (const code of [random62(43), 'x', '#', '../DEV'])
    expect(await poll(code)).toMatchObject(refused('expired_token'))
})

test('ending all sessions of a user also ends the session of a device', async () => {
  const { ctx, resident, send, signIn } = startClient()
  const { email, token, userId } = await resident()
  const { deviceCode, userCode } = (await send('POST', '/api/cli/auth/start')).body.data
  const session = { ...(await openSession(ctx, { email, userId, name: 'Ann', userAgent: 'browser' })).session }
  await claimUserCode(ctx, session, userCode)
  await answerDeviceLogin(ctx, session, userCode, 'approved')
  // Approved before, fetched after.
  await send('POST', '/api/auth/sessions/revoke-others', { token })
  const polled = await send('POST', '/api/cli/auth/poll', { body: { deviceCode } })
  expect((await send('GET', '/api/auth/get-session', { token: polled.body.data.token })).status).toBe(401)
  expect((await signIn(email)).status).toBe(200)
})

test.each([
  ['/api/cli/auth/start', 'clientName', { clientName: '' }],
  ['/api/cli/auth/start', 'clientName', { clientName: 'x'.repeat(81) }],
  ['/api/cli/auth/start', 'scope', { scope: '*' }],
  ['/api/cli/auth/poll', 'deviceCode', {}],
  ['/api/cli/auth/poll', 'deviceCode', { deviceCode: '' }],
  ['/api/cli/auth/poll', 'deviceCode', { deviceCode: 'x'.repeat(101) }],
])('%s rejects a wrong %s: %j', async (path, field, body) => {
  const { send } = startClient()
  expect(await send('POST', path, { body })).toMatchObject({ status: 400, body: { field } })
})

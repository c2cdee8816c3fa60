import { expect, test } from 'vitest'
import { tokenPattern } from '../../../shared/identity/token.ts'
import { serveFile, startClient } from './client.ts'

serveFile()

const getSession = '/api/auth/get-session'

test('get-session returns the session and its user, without secrets', async () => {
  const { newcomer, send, signIn } = startClient()
  const { email, userId } = await newcomer()
  const { token } = (await signIn(email)).body.data
  const { status, body } = await send('GET', getSession, { token })
  expect(status).toBe(200)
  const [, , , id] = tokenPattern.exec(token) ?? []
  expect(body.data).toEqual({
    session: { id, createdAt: expect.any(String), expiresAt: expect.any(String), userAgent: 'node' },
    user: { id: userId, email, name: 'Ann', emailVerified: true },
    twoFactorEnabled: false,
  })
  const { createdAt, expiresAt } = body.data.session
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
})

test('sign-out ends only the current session, immediately', async () => {
  const { newcomer, send, signIn } = startClient()
  const { email, token } = await newcomer()
  const other = (await signIn(email)).body.data.token
  expect(await send('POST', '/api/auth/sign-out', { token })).toMatchObject({
    status: 200,
    body: { data: { signedOut: true } },
  })
  expect((await send('GET', getSession, { token })).status).toBe(401)
  expect((await send('POST', '/api/auth/sign-out', { token })).status).toBe(401)
  expect((await send('GET', getSession, { token: other })).status).toBe(200)
})

test('a session ends after 30 days, even while its row still exists', async () => {
  const { person, send, clock } = startClient()
  const { token } = await person()
  clock.pass(30 * 86_400_000 - 60_000)
  expect((await send('GET', getSession, { token })).status).toBe(200)
  clock.pass(60_000)
  expect((await send('GET', getSession, { token })).status).toBe(401)
})

test('rejects a token that the service did not issue', async () => {
  const { person, send } = startClient()
  const { token } = await person()
  const forged = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  for (const headers of [{}, { Authorization: token }, { Authorization: `Bearer ${forged}` }, { Cookie: token }]) {
    expect(await send('GET', getSession, { headers })).toMatchObject({ status: 401, body: { success: false } })
  }
})

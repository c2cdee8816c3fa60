import { expect, test } from 'vitest'
import { batchGet } from '../../../shared/db/table.ts'
import { changePassword } from '../../../shared/identity/change-password.ts'
import { liveSession, sessionKeys } from '../../../shared/identity/session.ts'
import { signIn as signInRoom } from '../../../shared/identity/sign-in.ts'
import { readToken } from '../../../shared/identity/token.ts'
import { personAssistants } from '../../../shared/oauth/person-assistants.ts'
import { password, serveFile, startClient } from './client.ts'

serveFile()

const path = '/api/auth/change-password'
const newPassword = 'another good password'

test('changing the password ends all other sessions and keeps this session and the access tokens', async () => {
  const { resident, signIn, send } = startClient()
  const { email, token } = await resident()
  const other = (await signIn(email)).body.data.token
  const workspace = await send('POST', '/api/workspaces', { token, body: { name: 'Acme' } })
  const body = { name: 'ci', workspaceId: workspace.body.data.id, scopes: ['*'] }
  const pat = (await send('POST', '/api/cli/tokens', { token, body })).body.data.token
  const changed = await send('POST', path, { token, body: { currentPassword: password, newPassword } })
  expect(changed).toMatchObject({ status: 200, body: { data: { passwordChanged: true } } })
  expect((await send('GET', '/api/auth/get-session', { token })).status).toBe(200)
  expect((await send('GET', '/api/auth/get-session', { token: other })).status).toBe(401)
  expect((await send('GET', '/api/workspaces', { token: pat })).status).toBe(200)
  expect((await signIn(email)).status).toBe(401)
  expect((await signIn(email, newPassword)).status).toBe(200)
})

test('rejects a wrong current password, and changes nothing and ends no session', async () => {
  const { resident, signIn, send } = startClient()
  const { email, token } = await resident()
  const other = (await signIn(email)).body.data.token
  expect(await send('POST', path, { token, body: { currentPassword: 'a guess', newPassword } })).toMatchObject({
    status: 403,
    body: { code: 'incorrect_password', field: 'currentPassword', error: 'The current password is wrong.' },
  })
  expect((await send('GET', '/api/auth/get-session', { token: other })).status).toBe(200)
  expect((await signIn(email)).status).toBe(200)
})

test('a sign-in that checked the old password during the change opens a session that has already ended', async () => {
  const { resident, send, ctx } = startClient()
  const { email, token } = await resident()
  const parts = await readToken(ctx, token)
  if (parts === undefined) throw new Error('the token cannot be read')
  const live = async (session: typeof parts) =>
    liveSession(await batchGet(ctx, sessionKeys(session)), session, ctx.clock.now())
  const session = await live(parts)
  if (session === undefined) throw new Error('there is no session')
  // Between the read of the credential and the write of the session the password changes.
  let changed = false
  const observe: typeof ctx.observe = async (effect, run) => {
    if (/^(PutItem|TransactWriteItems)$/.test(effect.action) && !changed) {
      changed = true
      await changePassword(ctx, session, { currentPassword: password, newPassword }, personAssistants)
    }
    return run()
  }
  const late = await signInRoom({ ...ctx, observe }, { email, password }, { userAgent: 'node', ip: '127.0.0.1' })
  expect((await send('GET', '/api/auth/get-session', { token: late.token })).status).toBe(401)
  expect((await send('GET', '/api/auth/get-session', { token })).status).toBe(200)
})

test('one of several concurrent changes succeeds, and the account has that password', async () => {
  const { resident, signIn, send } = startClient()
  const { email, token } = await resident()
  const newPasswords = ['password one', 'password two', 'password three']
  const answers = await Promise.all(
    newPasswords.map((newPassword) => send('POST', path, { token, body: { currentPassword: password, newPassword } })),
  )
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const { status } of answers) expect([200, 403, 409]).toContain(status)
  const good = await Promise.all(newPasswords.map((newPassword) => signIn(email, newPassword)))
  expect(good.map(({ status }) => status === 200)).toEqual(answers.map(({ status }) => status === 200))
  expect((await send('GET', '/api/auth/get-session', { token })).status).toBe(200)
})

test.each([
  ['newPassword', { currentPassword: password, newPassword: 'short' }],
  ['newPassword', { currentPassword: password }],
  ['currentPassword', { newPassword }],
  ['userId', { currentPassword: password, newPassword, userId: 'somebody' }],
])('a wrong %s returns 400', async (field, body) => {
  const { person, send } = startClient()
  const { token } = await person()
  expect(await send('POST', path, { token, body })).toMatchObject({ status: 400, body: { field } })
})

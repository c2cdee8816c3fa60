import { expect, test } from 'vitest'
import { transact } from '../../../shared/db/table.ts'
import { credentials } from '../../../shared/identity/credential.ts'
import { users } from '../../../shared/identity/user.ts'
import { verifications } from '../../../shared/identity/verification.ts'
import { digest } from '../../../shared/ids.ts'
import { serveFile, startClient } from './client.ts'

serveFile()

const path = '/api/auth/verify-email'

test('a link works once, even when opened eight times concurrently; the next click says to sign in', async () => {
  const { signUp, signIn, send, newAddress, links } = startClient()
  const email = newAddress()
  await signUp(email)
  const [link = ''] = links(email)
  const opened = await Promise.all(Array.from({ length: 8 }, () => send('GET', link)))
  expect(opened.filter(({ status }) => status === 200)).toMatchObject([{ body: { data: { verified: true } } }])
  expect(opened.filter(({ status }) => status === 400)).toHaveLength(7)
  expect(await send('GET', link)).toMatchObject({
    status: 400,
    body: {
      code: 'email_already_verified',
      error: 'This link was already used, and the email address is verified. Sign in.',
    },
  })
  expect((await signIn(email)).status).toBe(200)
})

test('a used link stays used, even after its account is deleted', async () => {
  const { newcomer, send, links, ctx } = startClient()
  const { email, userId } = await newcomer()
  await transact(ctx, () => [{ delete: credentials.key({ email }) }, { delete: users.key({ id: userId }) }])
  expect((await send('GET', links(email)[0] ?? '')).status).toBe(400)
  expect(await credentials.get(ctx, { email })).toBeUndefined()
})

test('a used link keeps no name, address, ID, or password hash', async () => {
  const { newcomer, links, ctx } = startClient()
  const { email } = await newcomer()
  const [, token = ''] = /token=(\w+)/.exec(links(email)[0] ?? '') ?? []
  expect(await verifications.get(ctx, { tokenHash: digest(token) })).toEqual({
    tokenHash: digest(token),
    email: '',
    name: '',
    userId: '',
    passwordHash: '',
    expiresAt: expect.any(String),
    usedAt: expect.any(String),
  })
})

test('a link expires after 24 hours, and signing up again sends a new one', async () => {
  const { signUp, send, newAddress, links, clock } = startClient()
  const [old, young] = [newAddress(), newAddress()]
  await signUp(old)
  clock.pass(60_000)
  await signUp(young)
  clock.pass(24 * 3_600_000 - 60_000 + 1_000)
  expect(await send('GET', links(old)[0] ?? '')).toMatchObject({
    status: 400,
    body: { code: 'invalid_verification_token' },
  })
  await signUp(old)
  expect((await send('GET', links(old)[1] ?? '')).status).toBe(200)
  expect((await send('GET', links(young)[0] ?? '')).status).toBe(200)
})

test.each([
  ['an unknown token', `${path}?token=${'A'.repeat(43)}`, 'token'],
  ['no token', path, 'token'],
  ['an empty token', `${path}?token=`, 'token'],
  ['an endless token', `${path}?token=${'A'.repeat(5_000)}`, 'token'],
  ['a key we do not know', `${path}?token=a&next=http://example.com`, 'next'],
])('rejects %s', async (_, address, field) => {
  const { send } = startClient()
  expect(await send('GET', address)).toMatchObject({ status: 400, body: { success: false, field } })
})

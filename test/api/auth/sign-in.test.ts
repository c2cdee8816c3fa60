import { expect, test } from 'vitest'
import type { Effect, Observe } from '../../../shared/context.ts'
import { get, put } from '../../../shared/db/table.ts'
import { credentials } from '../../../shared/identity/credential.ts'
import { signIn as signInRoom } from '../../../shared/identity/sign-in.ts'
import { tokenPattern } from '../../../shared/identity/token.ts'
import { password, serveFile, startClient } from './client.ts'

serveFile()

test('the correct password opens a session and returns it in the body and in the header', async () => {
  const { newcomer, signIn } = startClient()
  const { email, userId, token: earlier } = await newcomer()
  const { status, body, headers } = await signIn(email.toUpperCase())
  expect(status).toBe(200)
  expect(body.data).toEqual({
    redirect: false,
    token: expect.stringMatching(tokenPattern),
    user: { id: userId, email, name: 'Ann', emailVerified: true },
  })
  expect(headers.get('set-auth-token')).toBe(body.data.token)
  expect(body.data.token).not.toBe(earlier)
})

test('a wrong password and an unknown address get the same response after the same work', async () => {
  const { newcomer, signIn, newAddress, ctx, clock } = startClient()
  const [known, unknown] = [(await newcomer()).email, newAddress()]
  const [wrong, unknownUser] = [await signIn(known, 'not the password'), await signIn(unknown, 'not the password')]
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  const withoutRequestId = ({ text, headers }: typeof wrong) => text.replace(headers.get('X-Request-Id') ?? '', '…')
  expect([unknownUser.status, withoutRequestId(unknownUser)]).toEqual([wrong.status, withoutRequestId(wrong)])
  expect([...unknownUser.headers.keys()]).toEqual([...wrong.headers.keys()])

  const from = { userAgent: 'node', ip: '203.0.113.1' }
  const effectsFor = async (email: string) => {
    const effects: Effect[] = []
    const observe: Observe = (effect, run) => {
      effects.push(effect)
      return run()
    }
    // No one else tries this account at that moment.
    clock.pass(14_400_000)
    const room = signInRoom({ ...ctx, observe }, { email, password: 'not the password' }, from)
    await expect(room).rejects.toMatchObject({ reason: 'unauthenticated' })
    return effects
  }
  const effects = await effectsFor(known)
  // The last two count the try, for the network and for the account.
  expect(effects).toMatchObject([
    { action: 'BatchGetItem' },
    { action: 'UpdateItem', resource: expect.stringMatching(/RL#$/) },
    { action: 'UpdateItem', resource: expect.stringMatching(/RL#$/) },
  ])
  expect(await effectsFor(unknown)).toEqual(effects)
})

test('reports an unverified address only for the correct password', async () => {
  const { signUp, signIn, newAddress } = startClient()
  const email = newAddress()
  await signUp(email)
  expect(await signIn(email, 'not the password')).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect(await signIn(email)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
})

test('the next sign-in replaces a hash with a lower work factor; a wrong password does not', async () => {
  const { newcomer, signIn, ctx } = startClient()
  const { email } = await newcomer()
  const key = credentials.key({ email })
  // "correct horse battery" at N=2^10, r=8, p=1.
  const weak = '$scrypt$ln=10,r=8,p=1$8YEOw2hVCKIfrJaB1T4Mpw$bHM8Q4YQKbMctGzM4LW3aNkBn7+KYK4GgRWWyOb2Mb4'
  await put(ctx, { ...(await get(ctx, key)), ...key, passwordHash: weak })
  const hash = async () => (await credentials.get(ctx, { email }))?.passwordHash
  expect((await signIn(email, 'not the password')).status).toBe(401)
  expect(await hash()).toBe(weak)
  expect((await Promise.all([signIn(email), signIn(email)])).map(({ status }) => status)).toEqual([200, 200])
  expect(await hash()).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  expect((await signIn(email, password)).status).toBe(200)
})

test.each([
  ['email', { email: 'ann', password }],
  ['password', { email: 'ann@example.com' }],
  ['password', { email: 'ann@example.com', password: 'x'.repeat(129) }],
  ['remember', { email: 'ann@example.com', password, remember: true }],
])('a wrong %s returns 400', async (field, body) => {
  const { send } = startClient()
  expect(await send('POST', '/api/auth/sign-in/email', { body })).toMatchObject({ status: 400, body: { field } })
})

import { expect, test } from 'vitest'
import type { Effect, Observe } from '../../../shared/context.ts'
import { passwordResets } from '../../../shared/identity/password-reset.ts'
import { requestPasswordReset } from '../../../shared/identity/request-password-reset.ts'
import { resendVerification } from '../../../shared/identity/resend-verification.ts'
import { digest } from '../../../shared/ids.ts'
import { password, serveFile, startClient } from './client.ts'

serveFile()

const request = '/api/auth/request-password-reset'
const reset = '/api/auth/reset-password'
const resend = '/api/auth/resend-verification'
const newPassword = 'another good password'

const startReset = async () => {
  const client = startClient()
  const { resident, send, tokens } = client
  const owner = await resident()
  const requestReset = async () => {
    await send('POST', request, { body: { email: owner.email } })
    return tokens(owner.email, 'reset-password').at(-1) ?? ''
  }
  const choose = (token: string, chosen = newPassword) => send('POST', reset, { body: { token, newPassword: chosen } })
  return { ...client, owner, requestReset, choose }
}

test('the emailed link sets a new password once and ends every session', async () => {
  const { owner, requestReset, choose, send, signIn, letters } = await startReset()
  const token = await requestReset()
  expect(letters(owner.email).at(-1)?.subject).toBe('Reset your password')
  expect(await choose(token)).toMatchObject({ status: 200, body: { data: { passwordChanged: true } } })
  expect((await send('GET', '/api/auth/get-session', { token: owner.token })).status).toBe(401)
  expect((await signIn(owner.email)).status).toBe(401)
  expect((await signIn(owner.email, newPassword)).status).toBe(200)
  expect(await choose(token, 'yet another one')).toMatchObject({
    status: 400,
    body: { code: 'invalid_reset_token', field: 'token' },
  })
})

test('a link used eight times concurrently works once', async () => {
  const { requestReset, choose, owner, signIn } = await startReset()
  const token = await requestReset()
  const chosen = Array.from({ length: 8 }, (_, n) => `password number ${n}`)
  const statuses = (await Promise.all(chosen.map((newPassword) => choose(token, newPassword)))).map(
    ({ status }) => status,
  )
  expect([...statuses].sort()).toEqual([200, ...Array(7).fill(400)])
  expect((await signIn(owner.email, chosen[statuses.indexOf(200)])).status).toBe(200)
})

test('a link is valid for an hour, and only while the password is unchanged', async () => {
  const { requestReset, choose, clock } = await startReset()
  const late = await requestReset()
  clock.pass(3_600_000)
  expect((await choose(late)).status).toBe(400)
  const [first, second] = [await requestReset(), await requestReset()]
  expect((await choose(second)).status).toBe(200)
  expect((await choose(first)).status).toBe(400)
})

test('the table stores only the hash of a link', async () => {
  const { requestReset, ctx } = await startReset()
  const token = await requestReset()
  const row = await passwordResets.get(ctx, { tokenHash: digest(token) })
  expect(row?.email).toContain('@')
  expect(JSON.stringify(row)).not.toContain(token)
})

test.each([
  ['an unknown token', { token: 'x'.repeat(43), newPassword }, 'token'],
  ['a short password', { token: 'x'.repeat(43), newPassword: 'short' }, 'newPassword'],
  ['an additional address', { token: 'x', newPassword, email: 'ann@example.com' }, 'email'],
])('%s returns 400', async (_, body, field) => {
  const { send } = startClient()
  expect(await send('POST', reset, { body })).toMatchObject({ status: 400, body: { field } })
})

/** A user with an account, a user who signed up, and an unknown address. */
const everybody = async () => {
  const client = startClient()
  const { resident, newAddress, signUp } = client
  const [known, waiting, unknown] = [(await resident()).email, newAddress(), newAddress()]
  await signUp(waiting)
  return { ...client, known, waiting, unknown }
}

test.each([request, resend])('%s returns the same response for every address', async (path) => {
  const { send, known, waiting, unknown } = await everybody()
  const answers = []
  for (const email of [known, waiting, unknown]) answers.push(await send('POST', path, { body: { email } }))
  const [first, ...others] = answers
  expect(first).toMatchObject({ status: 200, body: { data: { requested: true } } })
  for (const other of others) {
    expect([other.status, other.text]).toEqual([first?.status, first?.text])
    expect([...other.headers.keys()]).toEqual([...(first?.headers.keys() ?? [])])
  }
})

test.each([
  ['request-password-reset', requestPasswordReset],
  ['resend-verification', resendVerification],
])('%s performs the same steps for every address', async (_, room) => {
  const { ctx, clock, known, waiting, unknown } = await everybody()
  // The mail of the sign-up is no longer counted.
  clock.pass(3_600_000)
  const effectsFor = async (email: string) => {
    const effects: Effect[] = []
    const observe: Observe = (effect, run) => {
      effects.push(effect)
      return run()
    }
    await room({ ...ctx, observe }, { email })
    return effects
  }
  const effects = await effectsFor(known)
  expect(effects.map(({ action }) => action)).toEqual(['UpdateItem', 'BatchGetItem', 'PutItem', 'SendEmail'])
  expect(await effectsFor(waiting)).toEqual(effects)
  expect(await effectsFor(unknown)).toEqual(effects)
})

test('an address without an account gets an email that says so, without a link', async () => {
  const { send, waiting, unknown, letters, tokens } = await everybody()
  for (const email of [waiting, unknown]) {
    await send('POST', request, { body: { email } })
    expect(letters(email).at(-1)?.subject).toBe('No account uses this email address')
    expect(tokens(email, 'reset-password')).toEqual([])
  }
})

test('a pending sign-up gets a new link, and the link works like the first', async () => {
  const { send, waiting, links, signIn } = await everybody()
  await send('POST', resend, { body: { email: waiting } })
  const [first = '', second = ''] = links(waiting)
  expect(second).not.toBe(first)
  expect((await send('GET', second)).status).toBe(200)
  expect((await send('GET', first)).status).toBe(400)
  expect((await signIn(waiting)).status).toBe(200)
})

test('sends no second link when two people signed up with an address, because it could verify the password of a stranger', async () => {
  const { send, signUp, waiting, links, letters } = await everybody()
  await signUp(waiting, { password: 'a stranger chose this' })
  await send('POST', resend, { body: { email: waiting } })
  expect(links(waiting)).toHaveLength(2)
  expect(letters(waiting).at(-1)?.subject).toBe('Sign up again to verify your email address')
})

test('an address with an account gets an email that says to sign in, without a link', async () => {
  const { send, known, links, letters, signIn } = await everybody()
  await send('POST', resend, { body: { email: known } })
  expect(links(known)).toEqual([])
  expect(letters(known).at(-1)?.subject).toBe('You already have an account')
  expect((await signIn(known, password)).status).toBe(200)
})

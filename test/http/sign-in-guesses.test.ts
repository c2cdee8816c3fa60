import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signIn } from '../../shared/identity/sign-in.ts'
import { makePerson, password } from '../laws/preparations.ts'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
let owner: { email: string }

const secondMs = 1_000
/** Eight calls from one address, so four tries at one account: each of them costs a hash. */
const auth = { calls: 8, perSeconds: 900 }
const tries = 4
const shareSeconds = 225
/** Where the owner is at home, and places of somebody with many addresses. */
const home = '198.51.100.1'
const elsewhere = (n: number) => `203.0.${Math.floor(n / 256)}.${n % 256}`

beforeAll(async () => {
  kit = await start({ rateLimits: { auth } })
  owner = await makePerson(kit)
})
afterAll(() => kit.close())
beforeEach(() => kit.clock.pass(3_600 * secondMs))

const attempt = (ip: string, email = owner.email, secret = 'not the password') =>
  signIn(kit.ctx, { email, password: secret }, { userAgent: 'node', ip }).then(
    () => 'in' as const,
    (error: { reason: string; details: { retryAfterSeconds?: number } }) =>
      error.reason === 'limited' ? error.details.retryAfterSeconds : error.reason,
  )
const attempts = (times: number, email?: string) =>
  Promise.all(Array.from({ length: times }, (_, n) => attempt(elsewhere(n), email)))

test('of many guesses from many addresses at once half as many are looked at as one address may send, known account or not', async () => {
  for (const email of [owner.email, 'nobody@mail.test']) {
    const told = await attempts(20, email)
    expect(told.filter((one) => one === 'unauthenticated')).toHaveLength(tries)
    expect(told.filter((one) => one === shareSeconds)).toHaveLength(20 - tries)
    kit.clock.pass(shareSeconds * secondMs)
    expect((await attempts(3, email)).filter((one) => one === 'unauthenticated')).toHaveLength(1)
  }
})

test('the owner gets in from where they signed in lately while others guess, and elsewhere when a try is free', async () => {
  expect(await attempt(home, owner.email, password)).toBe('in')
  await attempts(6)
  expect(await attempt(home, owner.email, password)).toBe('in')
  expect(await attempt(elsewhere(99), owner.email, password)).toBe(shareSeconds)
  kit.clock.pass(shareSeconds * secondMs)
  expect(await attempt(elsewhere(99), owner.email, password)).toBe('in')
})

test('a place is known for 30 days after the last sign-in', async () => {
  await attempt(home, owner.email, password)
  kit.clock.pass(30 * 86_400 * secondMs)
  await attempts(tries)
  expect(await attempt(home, owner.email, password)).toBe(shareSeconds)
})

test('a guess at a password that failed makes no place known', async () => {
  const told = await Promise.all(Array.from({ length: tries }, () => attempt(elsewhere(5))))
  expect(new Set(told)).toEqual(new Set(['unauthenticated']))
  expect(await attempt(elsewhere(5))).toBe(shareSeconds)
})

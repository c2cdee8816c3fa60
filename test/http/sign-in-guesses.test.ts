import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signIn } from '../../shared/identity/sign-in.ts'
import { random62 } from '../../shared/ids.ts'
import { countGuess, perAccount, perNetwork } from '../../shared/limits/guess.ts'
import { specifiedLimits } from '../../shared/limits/limits.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson, password } from '../support/world/preparations.ts'

let kit: Kit
let owner: { email: string }

const secondMs = 1_000
/** Four calls from one address, so two tries at one account from there and 20 from everywhere: each costs a hash. */
const auth = { calls: 4, perSeconds: 900 }
const [here, all] = [perNetwork(auth), perAccount(auth)]
const [hereSeconds, allSeconds] = [3_600, 720]
/** The owner's home address, and the addresses of an attacker with many. */
const home = '198.51.100.1'
const elsewhere = (n: number) => `203.0.${Math.floor(n / 256)}.${n % 256}`

beforeAll(async () => {
  kit = await start({ rateLimits: { auth } })
  owner = await makePerson(kit)
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => kit.clock.pass(2 * all.perSeconds * secondMs))

const attempt = (ip: string, email = owner.email, secret = 'not the password') =>
  signIn(kit.ctx, { email, password: secret }, { userAgent: 'node', ip }).then(
    () => 'in' as const,
    (error: { reason: string; details: { retryAfterSeconds?: number } }) =>
      error.reason === 'limited' ? error.details.retryAfterSeconds : error.reason,
  )
/** Tries from as many addresses as there are tries. */
const attempts = (times: number, email?: string) =>
  Promise.all(Array.from({ length: times }, (_, n) => attempt(elsewhere(n), email)))

test('concurrent guesses from many addresses are checked up to five times the limit of one address, for known and unknown accounts', async () => {
  for (const email of [owner.email, 'nobody@mail.test']) {
    const results = await attempts(26, email)
    expect(results.filter((result) => result === 'unauthenticated')).toHaveLength(all.calls)
    expect(results.filter((result) => result === allSeconds)).toHaveLength(26 - all.calls)
    kit.clock.pass(allSeconds * secondMs)
    expect((await attempts(3, email)).filter((attempt) => attempt === 'unauthenticated')).toHaveLength(1)
  }
})

test('guesses from one address are checked up to half its limit, and the others do not count against the account', async () => {
  const results = await Promise.all(Array.from({ length: 30 }, () => attempt(elsewhere(500))))
  expect(results.filter((result) => result === 'unauthenticated')).toHaveLength(here.calls)
  expect(results.filter((result) => result === hereSeconds)).toHaveLength(30 - here.calls)
  expect((await attempts(20)).filter((attempt) => attempt === 'unauthenticated')).toHaveLength(all.calls - here.calls)
})

test('the owner signs in from a recent location during guessing, and from elsewhere when an attempt is free', async () => {
  expect(await attempt(home, owner.email, password)).toBe('in')
  await attempts(all.calls)
  expect(await attempt(home, owner.email, password)).toBe('in')
  expect(await attempt(elsewhere(99), owner.email, password)).toBe(allSeconds)
  kit.clock.pass(allSeconds * secondMs)
  expect(await attempt(elsewhere(99), owner.email, password)).toBe('in')
})

test('a location is known for 30 days after the last sign-in', async () => {
  await attempt(home, owner.email, password)
  kit.clock.pass(30 * 86_400 * secondMs)
  await attempts(all.calls)
  expect(await attempt(home, owner.email, password)).toBe(allSeconds)
})

test('a failed guess does not make a location known', async () => {
  const results = await Promise.all(Array.from({ length: here.calls }, () => attempt(elsewhere(5))))
  expect(new Set(results)).toEqual(new Set(['unauthenticated']))
  expect(await attempt(elsewhere(5))).toBe(hereSeconds)
})

const dayMs = 86_400 * secondMs

/** A day of tries without pause from so many networks, under the specified limits; the owner tries each hour from a new one. */
const dayOfGuesses = async (networks: number) => {
  const ctx = {
    ...kit.ctx,
    env: (name: Parameters<typeof kit.ctx.env>[0]) => (name === 'RATE_LIMITS' ? '{}' : kit.ctx.env(name)),
  }
  const guessed = { email: `${random62(10)}@mail.test` }
  const isLookedAt = (ip: string) =>
    countGuess(ctx, guessed, ip).then(
      () => true,
      () => false,
    )
  const sums = { guesses: 0, ownerRefused: 0 }
  for (let at = 0; at < dayMs; at += 120 * secondMs) {
    // A burst at first, then each network tries more often than it may.
    const tries = at === 0 ? 12 : 1
    for (let n = 0; n < networks * tries; n += 1) if (await isLookedAt(elsewhere(n % networks))) sums.guesses += 1
    if (at % 3_600_000 === 0 && !(await isLookedAt(`198.51.100.${at / 3_600_000}`))) sums.ownerRefused += 1
    kit.clock.pass(120 * secondMs)
  }
  return sums
}

test.each([
  [1, 130, 0],
  [4, 520, 0],
  [12, 700, 24],
])('in a day %d networks get at most %d guesses, and the owner is locked out of new locations at most %d of 24 times', async (networks, max, refused) => {
  expect([perNetwork(specifiedLimits.auth).calls, perAccount(specifiedLimits.auth).calls]).toEqual([10, 100])
  const sums = await dayOfGuesses(networks)
  expect(sums.guesses).toBeLessThanOrEqual(max)
  expect(sums.guesses).toBeGreaterThan(0.9 * max - 25)
  expect(sums.ownerRefused).toBeLessThanOrEqual(refused)
})

import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson, password } from '../support/world/preparations.ts'

const chosen = 'another good password'

let kit: Kit
let owner: { email: string }

beforeAll(async () => {
  // Few calls, since each try costs a hash.
  kit = await start({ rateLimits: { auth: { calls: 4, perSeconds: 900 } } })
}, 120_000)
afterAll(() => kit.close())

/** Sends a body from one of the loopback addresses, each of which counts as a separate client. */
const postFrom = (localAddress: string, path: string, body: object) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const sent = request(new URL(path, kit.url), { method: 'POST', headers, localAddress }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })

const signInFrom = (address: string, secret: string) =>
  postFrom(address, '/api/auth/sign-in/email', { email: owner.email, password: secret })

const guesser = '127.0.0.66'

/** Guesses for as long as an address may send. */
const guessFrom = async (address: string) => {
  const statuses = await Promise.all(Array.from({ length: 5 }, (_, n) => signInFrom(address, `guess number ${n}`)))
  expect(statuses).toContain(429)
}

test('an owner signs in from a new address while someone guesses their password from another', async () => {
  owner = await makePerson(kit)
  await guessFrom(guesser)
  expect(await signInFrom('127.0.0.7', password)).toBe(200)
})

test('an owner who resets the password by email signs in immediately, however many addresses are guessing', async () => {
  owner = await makePerson(kit)
  const addresses = Array.from({ length: 12 }, (_, n) => `127.0.1.${n + 1}`)
  for (const address of addresses) await guessFrom(address)
  expect(await signInFrom('127.0.0.8', password)).toBe(429)
  await client({ baseUrl: kit.url }).auth.requestPasswordReset({ body: { email: owner.email } })
  const [, token] =
    /token=(\w+)/.exec(kit.mail.outbox().findLast(({ to }) => to.includes(owner.email))?.text ?? '') ?? []
  expect(await postFrom('127.0.0.8', '/api/auth/reset-password', { token, newPassword: chosen })).toBe(200)
  // From where they chose it, and from where they did not.
  expect(await signInFrom('127.0.0.9', chosen)).toBe(200)
  for (const address of addresses) await guessFrom(address)
  expect(await signInFrom('127.0.0.8', chosen)).toBe(200)
})

import { expect, test } from 'vitest'
import { hourMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, makeHook, receivedBy } from '../../webhooks/hooks.ts'
import { verifyFixed, verifyStandard } from '../../webhooks/receivers.ts'
import { refusalOf } from './refusal.ts'

/** An endpoint, and the secrets that the next delivery to it is signed with. */
const makeOne = async (kit: Kit) => {
  const { id, secret } = await makeHook(kit, 'hook')
  const rotate = async (expireOldInSeconds?: number) => {
    const body = expireOldInSeconds === undefined ? {} : { body: { expireOldInSeconds } }
    return (await kit.sessionApi.webhooks.rotateSecret({ params: { id }, ...body })).secret
  }
  const signersAmong = async (secrets: readonly string[]) => {
    await emit(kit)
    await kit.service.drain()
    const received = receivedBy(kit, 'hook').at(-1)
    const body = Buffer.from(received?.rawBody ?? '')
    // Node gives names in lower case.
    const headers = {
      ...received?.headers,
      'X-Service-Timestamp': received?.headers['x-service-timestamp'] ?? '',
      current: received?.headers['x-service-signature'] ?? '',
      previous: received?.headers['x-service-signature-previous'] ?? '',
    }
    const numbersOf = (verify: (secret: string) => boolean) =>
      [...secrets.keys()].filter((n) => verify(secrets[n] ?? ''))
    return {
      current: numbersOf((key) => verifyFixed(headers, body, key, 'current')),
      previous: numbersOf((key) => verifyFixed(headers, body, key, 'previous')),
      standard: numbersOf((key) => verifyStandard(headers, body, key)),
    }
  }
  return { id, secret, rotate, signersAmong }
}

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  const kit = await start()
  const { id, secret, rotate, signersAmong } = await makeOne(kit)
  expect(await signersAmong([secret])).toEqual({ current: [0], previous: [], standard: [0] })
  const next = await rotate()
  expect(next).toMatch(/^whsec_[\w+/]{43}=$/)
  expect((await kit.sessionApi.webhooks.get({ params: { id } })).secretHint).toBe(`whsec_…${next.slice(-4)}`)
  expect(await signersAmong([secret, next])).toEqual({ current: [1], previous: [0], standard: [0, 1] })
  kit.clock.pass(24 * hourMs - 10_000)
  expect(await signersAmong([secret, next])).toEqual({ current: [1], previous: [0], standard: [0, 1] })
  kit.clock.pass(10_000)
  expect(await signersAmong([secret, next])).toEqual({ current: [1], previous: [], standard: [1] })
})

test('expireOldInSeconds sets how long the old secret stays valid, and 0 ends it immediately', async () => {
  const kit = await start()
  const { secret, rotate, signersAmong } = await makeOne(kit)
  const secrets = [secret, await rotate(60)]
  expect((await signersAmong(secrets)).standard).toEqual([0, 1])
  kit.clock.pass(60_000)
  expect((await signersAmong(secrets)).standard).toEqual([1])
  secrets.push(await rotate(604_800), await rotate(604_800))
  expect(await signersAmong(secrets)).toEqual({ current: [3], previous: [2], standard: [1, 2, 3] })
  secrets.push(await rotate(0))
  expect(await signersAmong(secrets)).toEqual({ current: [4], previous: [], standard: [4] })
})

test('an endpoint has at most three active secrets', async () => {
  const kit = await start()
  const { secret, rotate, signersAmong } = await makeOne(kit)
  const secrets = [secret, await rotate(), await rotate()]
  expect(await refusalOf(rotate())).toMatchObject({ status: 409, code: 'webhook_secret_limit' })
  expect((await signersAmong(secrets)).standard).toEqual([0, 1, 2])
  kit.clock.pass(24 * hourMs)
  await rotate()
})

test('every concurrent rotation that succeeds takes effect', async () => {
  const kit = await start()
  const { secret, rotate, signersAmong } = await makeOne(kit)
  const answers = await Promise.allSettled([rotate(), rotate(), rotate()])
  const secrets = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409 })
  expect(secrets.length).toBeGreaterThan(0)
  const { standard } = await signersAmong([secret, ...secrets])
  expect(standard).toEqual([secret, ...secrets].map((_, n) => n))
})

test('expireOldInSeconds must be an integer of at most seven days', async () => {
  const kit = await start()
  const { id } = await makeHook(kit, 'hook')
  for (const expireOldInSeconds of [-1, 604_801, 1.5, '60']) {
    const answer = await kit.sessionApi.$raw('POST', `/api/webhooks/${id}/rotate-secret`, {
      body: JSON.stringify({ expireOldInSeconds }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect([answer.status, JSON.parse(await answer.text()).field]).toEqual([400, 'expireOldInSeconds'])
  }
})

import fc from 'fast-check'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { expect, test } from 'vitest'
import { verifySignature, verifyWebhook, WebhookVerificationError } from '../../infra/clients/javascript/src/index.ts'
import { sign, vectors } from '../webhooks/vectors.ts'

const only = (headers: Record<string, string>, prefix: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => prefix.test(name)))

const isGenuine = (...args: Parameters<typeof verifySignature>) =>
  verifySignature(...args).then(
    () => true,
    (error) => {
      // Nothing else is thrown, so that a receiver can answer 401.
      expect(error).toBeInstanceOf(WebhookVerificationError)
      return false
    },
  )

test.each(vectors)('both schemes are genuine, with each secret that still signs: $name', async (vector) => {
  const body = vector.body.repeat(vector.times)
  const headers = sign(vector, body)
  const now = { now: vector.timestamp * 1000 }
  for (const scheme of [/^webhook-/, /^X-Service-/, /./]) {
    expect(await isGenuine(body, only(headers, scheme), vector.secret, now)).toBe(true)
    expect(await isGenuine(new TextEncoder().encode(body), only(headers, scheme), vector.secret, now)).toBe(true)
    expect(await isGenuine(`${body}x`, only(headers, scheme), vector.secret, now)).toBe(false)
    expect(await isGenuine(body, only(headers, scheme), `${vector.secret}eA`, now)).toBe(false)
  }
  for (const old of vector.previous) expect(await isGenuine(body, only(headers, /^webhook-/), old, now)).toBe(true)
  const [newest] = vector.previous
  if (newest) expect(await isGenuine(body, only(headers, /^X-Service-/), newest, now)).toBe(true)
})

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
const bodies = fc.json()

test('only signatures of Standard Webhooks and Svix are valid', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, bodies, fc.uuid(), fc.nat(2), async (secret, body, id, at) => {
      const now = new Date()
      const timestamp = String(Math.floor(now.getTime() / 1000))
      const signatures = [new Standard(secret).sign(id, now, body), new Svix(secret).sign(id, now, body)]
      expect(new Set(signatures).size).toBe(1)
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures[0] ?? '' }
      expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body))
      const [name = ''] = Object.keys(headers).slice(at)
      const forged = { ...headers, [name]: `${headers[name as keyof typeof headers]}0` }
      expect(await isGenuine(body, forged, secret)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('the window of replays has two ends', async () => {
  const [vector] = vectors
  if (vector === undefined) throw new Error('there is no vector')
  const body = vector.body.repeat(vector.times)
  const headers = sign(vector, body)
  const at = (seconds: number, toleranceSeconds?: number) =>
    isGenuine(body, headers, vector.secret, { now: (vector.timestamp + seconds) * 1000, toleranceSeconds })
  expect([await at(300), await at(-300), await at(301), await at(-301)]).toEqual([true, true, false, false])
  expect([await at(500, 600), await at(11, 10)]).toEqual([true, false])
})

test('signatures and secrets that are none are not genuine, whatever they are', async () => {
  const now = Date.now()
  const timestamp = String(Math.floor(now / 1000))
  const hostile = [
    '',
    ' ',
    'v1,',
    'v1=',
    'v1,AAAA',
    `v1=${'a'.repeat(64)}`,
    'v1,%%%',
    'v1=zz',
    `v1=${'a'.repeat(63)}`,
    'v2,AAAA',
    '__proto__',
  ]
  for (const signature of hostile) {
    for (const secret of ['whsec_', '', 'whsec_%%%', 'whsec_AAAA']) {
      const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      const ours = { 'x-service-timestamp': timestamp, 'x-service-signature': signature }
      expect(await isGenuine('{}', headers, secret, { now })).toBe(false)
      expect(await isGenuine('{}', ours, secret, { now })).toBe(false)
    }
  }
  expect(await isGenuine('{}', { 'webhook-signature': 'v1,AAAA', 'webhook-timestamp': 'NaN' }, 'whsec_AAAA')).toBe(
    false,
  )
})

test('many signatures cost no more than a few', async () => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const flood = Array.from({ length: 100_000 }, () => 'v1,AAAA').join(' ')
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': flood }
  const startedAt = performance.now()
  expect(await isGenuine('{}', headers, 'whsec_AAAA')).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

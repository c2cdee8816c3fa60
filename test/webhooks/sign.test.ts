import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifyFixed, verifyStandard } from './receivers.ts'
import { sign, vectors } from './vectors.ts'

test('there are 25 distinct vectors, including every case that receivers get wrong', () => {
  expect(new Set(vectors.map(({ signature }) => signature)).size).toBe(25)
  const bodies = vectors.map(({ body, times }) => body.repeat(times))
  const bytes = bodies.map((body) => Buffer.byteLength(body))
  expect(bytes).toContain(0)
  expect(Math.max(...bytes)).toBe(65_536)
  expect(bodies).toContain('.')
  for (const kind of [/[\u0080-\u07ff]/u, /[\u0800-\uffff]/u, /[\u{10000}-\u{10ffff}]/u]) {
    expect(
      bodies.some((body) => kind.test(body)),
      String(kind),
    ).toBe(true)
  }
  expect(new Set(vectors.map(({ previous }) => previous.length))).toEqual(new Set([0, 1, 2]))
})

test.each(vectors)('signs as the vector says: $name', (vector) => {
  const headers = sign(vector, vector.body.repeat(vector.times))
  expect(headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': expect.stringMatching(/^Service-Webhooks\/\d+\.\d+\.\d+$/),
    'X-Service-Signature': vector.signature,
    ...(vector.signaturePrevious && { 'X-Service-Signature-Previous': vector.signaturePrevious }),
    'X-Service-Timestamp': String(vector.timestamp),
    'X-Service-Event-Id': vector.eventId,
    'X-Service-Delivery-Id': 'dlv_1',
    'X-Service-Delivery-Attempt': '3',
    'webhook-id': vector.eventId,
    'webhook-timestamp': String(vector.timestamp),
    'webhook-signature': vector.standard,
  })
})

test.each(vectors)('receivers with any active secret accept it: $name', (vector) => {
  const text = vector.body.repeat(vector.times)
  const [headers, body] = [sign(vector, text), Buffer.from(text)]
  const [older] = vector.previous
  expect(verifyFixed(headers, body, vector.secret)).toBe(true)
  expect(verifyFixed(headers, body, 'whsec_b3RoZXI=')).toBe(false)
  if (older) expect(verifyFixed(headers, body, older, 'X-Service-Signature-Previous')).toBe(true)
  for (const secret of [vector.secret, ...vector.previous]) expect(verifyStandard(headers, body, secret)).toBe(true)
  expect(verifyStandard(headers, body, 'whsec_b3RoZXI=')).toBe(false)
})

const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => {
  return `whsec_${Buffer.from(key).toString('base64')}`
})
const signed = fc.record({
  secret,
  eventId: fc.stringMatching(/^evt_\w{1,30}$/),
  timestamp: fc.nat(),
  text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).filter((text) => text.isWellFormed()),
})

test('rejects a body with any byte changed, added, or removed', () => {
  const alteration = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) })
  fc.assert(
    fc.property(signed, alteration, ({ text, ...of }, { at, mask }) => {
      const body = Buffer.from(text)
      const headers = sign({ ...of, previous: [] }, text)
      const accepts = (bytes: Uint8Array) => [
        verifyFixed(headers, bytes, of.secret),
        verifyStandard(headers, bytes, of.secret),
      ]
      expect(accepts(body)).toEqual([true, true])
      const offset = at % body.length
      const altered = body.map((byte, n) => (n === offset ? byte ^ mask : byte))
      expect(accepts(altered)).toEqual([false, false])
      expect(accepts(body.subarray(0, -1))).toEqual([false, false])
      expect(accepts(Buffer.concat([body, Buffer.of(mask)]))).toEqual([false, false])
    }),
  )
})

test('rejects another timestamp, or with Standard Webhooks another event', () => {
  fc.assert(
    fc.property(signed, fc.integer({ min: 1, max: 1000 }), ({ text, ...of }, laterSeconds) => {
      const body = Buffer.from(text)
      const headers = sign({ ...of, previous: [] }, text)
      const time = String(of.timestamp + laterSeconds)
      expect(verifyFixed({ ...headers, 'X-Service-Timestamp': time }, body, of.secret)).toBe(false)
      expect(verifyStandard({ ...headers, 'webhook-timestamp': time }, body, of.secret)).toBe(false)
      expect(verifyStandard({ ...headers, 'webhook-id': `${of.eventId}0` }, body, of.secret)).toBe(false)
    }),
  )
})

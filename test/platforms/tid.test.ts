import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTid } from '../../infra/local/platforms/bluesky/ids.ts'
import { makeKey, makeTid, tidMicroseconds } from '../../shared/platforms/bluesky/publish.ts'

// 53 bits of microseconds reach until the year 2255.
const microseconds = fc.bigInt({ min: 0n, max: (1n << 53n) - 1n })
const clockId = fc.integer({ min: 0, max: 1023 })

test('a timestamp id is valid and decodes to its microseconds', () => {
  fc.assert(
    fc.property(microseconds, clockId, (time, clock) => {
      const tid = makeTid(time, clock)
      expect(isTid(tid)).toBe(true)
      expect(tidMicroseconds(tid)).toBe(time)
    }),
  )
})

test('timestamp ids sort as text by time, then by clock', () => {
  const pair = fc.tuple(microseconds, clockId)
  fc.assert(
    fc.property(pair, pair, ([timeA, clockA], [timeB, clockB]) => {
      const [a, b] = [makeTid(timeA, clockA), makeTid(timeB, clockB)]
      const order = timeA === timeB ? clockA - clockB : timeA < timeB ? -1 : 1
      expect(Math.sign(a < b ? -1 : a > b ? 1 : 0)).toBe(Math.sign(order))
    }),
  )
})

test('known values', () => {
  expect(makeTid(0n, 0)).toBe('2222222222222')
  // An example of the specification; its numbers were worked out apart from this code.
  expect(makeTid(1_688_137_381_887_007n, 6)).toBe('3jzfcijpj2z2a')
  expect(tidMicroseconds('3jzfcijpj2z2a')).toBe(1_688_137_381_887_007n)
})

test('a key holds the scheduled millisecond, and two posts of one millisecond have two', () => {
  const post = {
    id: 'p',
    version: 1,
    text: '',
    metadata: undefined,
    media: [],
    assets: {},
    scheduledAtMs: 1_795_262_400_123,
  }
  const keys = new Set(Array.from({ length: 50 }, () => makeKey(post)))
  expect(keys.size).toBe(50)
  for (const key of keys) expect(tidMicroseconds(key) / 1000n).toBe(1_795_262_400_123n)
})

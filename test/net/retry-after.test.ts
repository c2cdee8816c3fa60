import { expect, test } from 'vitest'
import { retryAfterSeconds } from '../../shared/net/send.ts'

const now = Date.parse('2030-01-01T12:00:00Z')

test.each([
  ['0', 0],
  ['120', 120],
  [' 120 ', 120],
  ['99999999999999999999', 1e20],
  ['Tue, 01 Jan 2030 12:02:00 GMT', 120],
  ['Tuesday, 01-Jan-30 12:02:00 GMT', 120],
  ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['5s', undefined],
  ['soon 2099', undefined],
  ['2099', 2099],
  ['2099-01-01', undefined],
  ['Tue, someday', undefined],
  [undefined, undefined],
])('Retry-After %j means %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds)
})

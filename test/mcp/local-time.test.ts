import { expect, test } from 'vitest'
import { localTime, localTimestamp, nextTimeOfDay } from '../../shared/local-time.ts'

const at = (text: string) => Date.parse(text)

test.each([
  ['UTC', '2030-01-01T22:30:00Z', 420, '2030-01-02T07:00:00.000Z'],
  ['Europe/Berlin', '2030-01-01T22:30:00Z', 420, '2030-01-02T06:00:00.000Z'],
  // The clocks are set forward and back in the night.
  ['Europe/Berlin', '2030-03-30T22:30:00Z', 420, '2030-03-31T05:00:00.000Z'],
  ['Europe/Berlin', '2030-10-26T22:30:00Z', 420, '2030-10-27T06:00:00.000Z'],
  ['Asia/Kathmandu', '2030-01-01T22:30:10Z', 0, '2030-01-02T18:15:00.000Z'],
  ['America/New_York', '2030-01-01T05:00:00Z', 0, '2030-01-02T05:00:00.000Z'],
])('in %s after %s the minute %i comes at %s', (zone, from, minute, expected) => {
  const next = nextTimeOfDay(at(from), zone, minute)
  expect(new Date(next).toISOString()).toBe(expected)
  expect(localTime(next, zone).minute).toBe(minute)
})

test('a time that the clocks skip comes an hour later', () => {
  const next = nextTimeOfDay(at('2030-03-30T20:00:00Z'), 'Europe/Berlin', 150)
  expect(next).toBeGreaterThanOrEqual(at('2030-03-31T00:30:00Z'))
  expect(next).toBeLessThanOrEqual(at('2030-03-31T01:30:00Z'))
})

test.each([
  ['UTC', '2030-01-01T22:30:15Z', '2030-01-01T22:30:15+00:00'],
  ['Europe/Berlin', '2030-03-31T00:59:59.900Z', '2030-03-31T01:59:59+01:00'],
  ['Europe/Berlin', '2030-03-31T01:00:00Z', '2030-03-31T03:00:00+02:00'],
  ['America/St_Johns', '2030-01-01T02:00:00Z', '2029-12-31T22:30:00-03:30'],
  ['Asia/Kathmandu', '2030-01-01T20:00:00Z', '2030-01-02T01:45:00+05:45'],
])('in %s the moment %s is written as %s', (zone, moment, expected) => {
  expect(localTimestamp(at(moment), zone)).toBe(expected)
})

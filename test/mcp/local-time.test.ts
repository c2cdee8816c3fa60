import { expect, test } from 'vitest'
import { localTime, localTimestamp, momentOf, nextTimeOfDay } from '../../shared/local-time.ts'

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

test.each([
  ['UTC', '2030-01-01T09:00', '2030-01-01T09:00:00.000Z'],
  ['Europe/Berlin', '2030-01-01T09:00:30', '2030-01-01T08:00:30.000Z'],
  ['Europe/Berlin', '2030-07-01T00:15', '2030-06-30T22:15:00.000Z'],
  ['Europe/Berlin', '2030-03-31T01:59:59', '2030-03-31T00:59:59.000Z'],
  ['Europe/Berlin', '2030-03-31T03:00', '2030-03-31T01:00:00.000Z'],
  // The hour comes twice: its first time.
  ['Europe/Berlin', '2030-10-27T02:30', '2030-10-27T00:30:00.000Z'],
  ['America/New_York', '2030-11-03T01:30', '2030-11-03T05:30:00.000Z'],
  ['Australia/Lord_Howe', '2030-04-07T01:45', '2030-04-06T14:45:00.000Z'],
  ['Asia/Kathmandu', '2030-01-01T00:00', '2029-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2030-01-01T00:00', '2029-12-31T10:00:00.000Z'],
])('clocks in %s show %s at %s', (zone, wall, expected) => {
  expect(new Date(momentOf(wall, zone) ?? 0).toISOString()).toBe(expected)
})

test.each([
  ['Europe/Berlin', '2030-03-31T02:30'],
  ['America/New_York', '2030-03-10T02:00'],
  ['Australia/Lord_Howe', '2030-10-06T02:15'],
  ['UTC', '2030-02-29T09:00'],
  ['UTC', '2030-01-01T25:00'],
  ['UTC', 'tomorrow'],
])('clocks in %s never show %s', (zone, wall) => {
  expect(momentOf(wall, zone)).toBeUndefined()
})

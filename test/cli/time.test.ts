import { expect, test } from 'vitest'
import { readTime, sayTime } from '../../infra/clients/cli/src/time.ts'

/** Monday, 2026-11-23, 17:00 in Berlin. */
const now = Date.UTC(2026, 10, 23, 16)
const berlin = 'Europe/Berlin'
const read = (text: string, zone = berlin) => new Date(readTime(text, zone, now)).toISOString()

test.each([
  ['tomorrow 9:00', berlin, '2026-11-24T08:00:00.000Z'],
  ['tomorrow 9:00', 'America/New_York', '2026-11-24T14:00:00.000Z'],
  ['tomorrow at 9pm', 'Asia/Kolkata', '2026-11-24T15:30:00.000Z'],
  ['in 90 minutes', berlin, '2026-11-23T17:30:00.000Z'],
  ['friday 17:30', berlin, '2026-11-27T16:30:00.000Z'],
  ['Dec 1 9am', berlin, '2026-12-01T08:00:00.000Z'],
  ['2026-12-01 09:00', 'UTC', '2026-12-01T09:00:00.000Z'],
  ['2026/12/1 09:00', 'UTC', '2026-12-01T09:00:00.000Z'],
  ['2026.12.01 9:00', 'UTC', '2026-12-01T09:00:00.000Z'],
  ['2026-12-1 9:00', 'UTC', '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00Z', berlin, '2026-12-01T09:00:00.000Z'],
  ['2026-12-01T09:00:00+05:30', berlin, '2026-12-01T03:30:00.000Z'],
  // In Auckland it is Tuesday already.
  ['today 9:00', 'Pacific/Auckland', '2026-11-23T20:00:00.000Z'],
  // Summer time begins on 2027-03-28 and ends on 2027-10-31.
  ['2027-03-28 03:30', berlin, '2027-03-28T01:30:00.000Z'],
  ['2027-06-01 09:00', berlin, '2027-06-01T07:00:00.000Z'],
  ['2027-10-31 02:30', berlin, '2027-10-31T00:30:00.000Z'],
  ['2027-10-31 03:30', berlin, '2027-10-31T02:30:00.000Z'],
])('"%s" in %s is %s', (text, zone, expected) => {
  expect(read(text, zone)).toBe(expected)
})

test.each([
  ['2027-03-28 02:30', 'does not exist in Europe/Berlin'],
  ['2026-02-30T09:00:00Z', 'is not a real date and time'],
  ['2026-13-01 09:00', 'is not a real date and time'],
  ['2026/2/30 09:00', 'is not a real date and time'],
  ['tomorrow 9:00 please', 'that can be read'],
  ['tomorrow', 'has no time of day'],
  ['9:00 to 10:00', 'that can be read'],
  ['12/1 9:00', 'can mean two days'],
])('"%s" is rejected', (text, sentence) => {
  expect(() => read(text)).toThrow(sentence)
})

test.each([
  [berlin, 'Tue, Nov 24 2026, 09:00 (Europe/Berlin, UTC+1)'],
  ['UTC', 'Tue, Nov 24 2026, 08:00 (UTC)'],
  ['Asia/Kolkata', 'Tue, Nov 24 2026, 13:30 (Asia/Kolkata, UTC+5:30)'],
  ['America/New_York', 'Tue, Nov 24 2026, 03:00 (America/New_York, UTC-5)'],
])('a time in %s is printed as %s', (zone, expected) => {
  expect(sayTime(Date.UTC(2026, 10, 24, 8), zone)).toBe(expected)
})

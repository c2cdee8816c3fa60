import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { minuteMs } from '../../shared/time.ts'
import { type Child, modes, startChild } from './load/child.ts'
import { measureDue, type Publisher, publisherOf } from './load/due.ts'
import { measureFanOut } from './load/fan-out.ts'
import { killPeer, killService } from './load/kills.ts'
import { spread } from './load/measure.ts'
import { peerName, startPeer } from './load/peer.ts'
import { sendMix, statusesOf } from './load/send-mix.ts'
import { openTrips, timeTrips, traceTrips, warmUp } from './load/trips.ts'

/**
 * How fast the service is on this machine, as `npm start` runs it: bundles, real polling, its files in a folder. Another
 * process drives it over HTTP. BullMQ on Redis does the same jobs against the same stand-ins. Arguments: the parts to
 * measure, all where none is named; `--as serve` runs the service as `npm run serve` does, `--as dynamodb-local` on that table;
 * `--per-second` and `--seconds` change the mix.
 */
const parts = ['trips', 'due', 'minute', 'mix', 'fan-out', 'kills'] as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    as: { type: 'string', default: 'start' },
    rounds: { type: 'string', default: '3' },
    'per-second': { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
  },
})
const mode = z.parse(z.enum(modes), values.as)
const chosen = z.parse(z.array(z.enum(parts)), positionals)
const has = (part: (typeof parts)[number]) => chosen.length === 0 || chosen.includes(part)
const rounds = Number(values.rounds)

const warmUps = 300
/** The first publication on a platform compiles what it runs, as the demonstration of `npm start` does. */
const warmUpsDue = 40
const eachTrip = 200
const [perSecond, mixSeconds] = [Number(values['per-second']), Number(values.seconds)]

const rows: string[][] = [['', 'service', peerName]]
rows.push(['---', '---:', '---:'])
const note = (text: string) => process.stderr.write(`${text}\n`)
const ms = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0))
const both = ({ p50, p99 }: { p50: number; p99: number }) => `${ms(p50)}, ${ms(p99)} ms`

/** The least, the median, and the most of some rounds. */
const rangeOf = (numbers: readonly number[]) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    .map((value) => ms(value ?? Number.NaN))
    .join(' / ')
}

const needsPeer = (['due', 'minute', 'kills'] as const).some(has)
const peer = needsPeer ? await startPeer() : undefined
if (needsPeer && peer === undefined)
  note(`${peerName} is left out: it needs redis-server on PATH (Debian: redis-server).`)

/** How late posts are in each of some rounds: rows of p50, p99, most, and how many did not come or came early. */
const addDue = async (
  publishers: readonly (Publisher | undefined)[],
  label: string,
  count: number,
  overMs: number,
  times: number,
) => {
  note(label)
  const columns: number[][][] = []
  for (const publisher of publishers) {
    const late: number[][] = []
    for (let round = 0; publisher && round < times; round += 1) late.push(await measureDue(publisher, count, overMs))
    columns.push(late)
  }
  const row = (name: string, cell: (late: readonly number[][]) => string) =>
    rows.push([`${label}: ${name}`, ...columns.map((late) => (late.length === 0 ? '' : cell(late)))])
  row('late by, p50, ms', (late) => rangeOf(late.map((latencies) => spread(latencies).p50)))
  row('late by, p99, ms', (late) => rangeOf(late.map((latencies) => spread(latencies).p99)))
  row('late by at most, ms', (late) => rangeOf(late.map((latencies) => spread(latencies).max)))
  row('early, not within a minute', (late) => {
    const all = late.flat()
    return `${all.filter((latency) => latency < 0).length}, ${all.filter((latency) => latency === Number.POSITIVE_INFINITY).length}`
  })
}

const measureChild = async (child: Child) => {
  const trips = await openTrips(child)
  const publishers = [publisherOf(child, mode), peer]
  if (has('due')) await addDue(publishers, '200 posts due in one moment, right after a start', 200, 0, 1)
  note('warming up')
  await warmUp(trips, warmUps)
  for (const publisher of publishers) if (publisher) await measureDue(publisher, warmUpsDue)
  let steps = ''
  if (has('trips')) {
    note('one request at a time')
    for (const { name, ...times } of await timeTrips(trips, eachTrip)) rows.push([`${name}: p50, p99`, both(times), ''])
    steps = await traceTrips(child, trips, eachTrip)
  }
  if (has('due')) {
    for (const count of [200, 1_000]) {
      await addDue(publishers, `${count} posts due in one moment`, count, 0, rounds)
    }
  }
  if (has('minute')) {
    await addDue(publishers, '10,000 posts due in a minute', 10_000, minuteMs, 1)
  }
  if (has('mix')) {
    note(`${perSecond} mixed requests a second for ${mixSeconds} s`)
    const { samples, cpuMsEach, startMb, peakMb } = await sendMix(child, perSecond, mixSeconds)
    const mixed = `${perSecond} mixed requests a second for ${mixSeconds} s`
    rows.push([`${mixed}: p50, p99`, both(spread(samples.map(({ tookMs }) => tookMs))), ''])
    rows.push([`${mixed}: answers by status`, statusesOf(samples), ''])
    rows.push([`${mixed}: processor time for each`, `${ms(cpuMsEach)} ms`, ''])
    rows.push([`${mixed}: memory, at first and at most`, `${startMb}, ${peakMb} MB`, ''])
  }
  return `${child.settings}\n${peerName}: ${peer?.settings ?? 'left out'}\n\n${steps}`
}

try {
  let about = ''
  if ((['trips', 'due', 'minute', 'mix'] as const).some(has)) {
    const child = await startChild({ mode })
    try {
      about = await measureChild(child)
    } finally {
      await child.close()
    }
  }
  if (has('fan-out')) {
    note('webhooks to 50 endpoints')
    const { allAnswer, fiveHang } = await measureFanOut()
    for (const [which, { expectedCount, lateMs }] of [
      ['all answer', allAnswer],
      ['five hang', fiveHang],
    ] as const) {
      const label = `webhooks to 50 endpoints, ${which}`
      rows.push([`${label}: late by, p50, p99`, both(spread(lateMs)), ''])
      rows.push([`${label}: arrived at those that answer`, `${lateMs.length} of ${expectedCount}`, ''])
    }
  }
  if (has('kills')) {
    note('kill -9 every two seconds')
    const ends = [await killService(), peer && (await killPeer(peer))]
    rows.push(['kill -9: lost, doubled', ...ends.map((end) => (end ? `${end.lost}, ${end.doubled} of ${end.of}` : ''))])
  }
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log(`\n${about}`)
} finally {
  await peer?.close()
}

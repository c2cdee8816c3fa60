import { setTimeout as sleep } from 'node:timers/promises'
import type { Platforms } from '../../../infra/local/platforms/start.ts'
import { inLanes } from '../../support/world/lanes.ts'
import { requestExpecting } from './ask.ts'
import type { Child, Made, Mode } from './child.ts'
import { scheduleOne } from './requests.ts'

/** A post, its platform, and when it is due. */
export interface Job {
  text: string
  platform: 'bluesky' | 'discord'
  atMs: number
}

/** What takes posts and publishes each at its time on stand-ins: the service, or its peer. */
export interface Publisher {
  /** How long scheduling `count` posts may take, in milliseconds. */
  withinMs(count: number): number
  schedule(jobs: readonly Job[]): Promise<void>
  made(): Promise<readonly Made[]>
}

/** The calls that made posts on these stand-ins. */
export const madeIn = (platforms: Pick<Platforms, 'calls'>): Made[] =>
  platforms
    .calls()
    .filter(({ operation }) => operation === 'create')
    .map(({ at, body }) => ({ atMs: at, body: body.toString() }))

/** Posts of both platforms by turns, due at one moment or evenly over a time. */
export const makeJobs = (count: number, fromMs: number, overMs: number): Job[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `Due ${fromMs} number ${n}.`,
    platform: n % 2 === 0 ? 'bluesky' : 'discord',
    atMs: fromMs + Math.floor((n * overMs) / count),
  }))

/** The text of a job in what was sent to a platform. */
export const jobTextIn = (body: string): string => /Due \d+ number \d+\./.exec(body)?.[0] ?? ''

/** Requests that schedule, at the same moment. */
const atOnce = 8

/** How long the first requests may take, and each one. */
const compileMs = 10_000
const scheduleMs = { start: 20, serve: 20, 'dynamodb-local': 250 }

/** The service as a client of its API sees it. */
export const publisherOf = (child: Child, mode: Mode): Publisher => ({
  withinMs: (count) => compileMs + count * scheduleMs[mode],
  async schedule(jobs) {
    const { accounts } = child.author
    const one = ({ text, platform, atMs }: Job) =>
      requestExpecting(201, scheduleOne(child, accounts[platform], text, atMs))
    await inLanes(jobs, atOnce, one)
  },
  made: child.made,
})

/** From the last request on, so that the prepare queue has done its part. */
const leadMs = 5_000
const lookEveryMs = 1_000
const timeoutMs = 60_000

/**
 * Schedules posts that are due at one moment, or evenly over a time, and reports how late the call that publishes each of them arrived at
 * its platform, in order. Negative is early.
 */
export const measureDue = async (publisher: Publisher, count: number, overMs = 0) => {
  const withinMs = publisher.withinMs(count)
  const fromMs = Math.ceil((Date.now() + withinMs + leadMs) / 1000) * 1000
  const jobs = makeJobs(count, fromMs, overMs)
  await publisher.schedule(jobs)
  if (Date.now() > fromMs - leadMs) throw new Error(`scheduling ${count} posts took more than ${withinMs} ms`)
  await sleep(fromMs + overMs - Date.now())
  let arrived = new Map<string, number>()
  for (const endMs = Date.now() + timeoutMs; arrived.size < count && Date.now() < endMs; ) {
    await sleep(lookEveryMs)
    const made = await publisher.made()
    // The first one of each counts, so it is set last.
    const all = new Map(made.toReversed().map(({ atMs, body }) => [jobTextIn(body), atMs]))
    arrived = new Map(jobs.flatMap(({ text }) => (all.has(text) ? [[text, all.get(text) ?? 0]] : [])))
  }
  return jobs.map(({ text, atMs }) => (arrived.get(text) ?? Number.POSITIVE_INFINITY) - atMs).toSorted((a, b) => a - b)
}

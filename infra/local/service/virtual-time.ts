import type { Clock } from '../../../shared/context.ts'
import type { Queues } from '../engines/queues.ts'
import type { Schedules } from '../engines/schedules.ts'
import type { ClockPlan } from '../template/functions.ts'
import type { Feed } from '../workers/feed.ts'
import { nextTick, type Report } from '../workers.ts'

/** A clock that moves only on request. */
export interface MovableClock extends Clock {
  set(ms: number): void
}

export interface DeliverOptions {
  /** The batches of all queues, and the messages in each, in any order. */
  order?: 'shuffled'
  /** Invokes the functions for all batches in parallel instead of one after another. */
  together?: boolean
  /** Awaited before each batch is handed over. */
  before?(): Promise<void>
}

export interface PassOptions {
  /** The maximum frequency of clock ticks: longer spans take less time to pass when their functions run less often. */
  tickMinutes?: number
}

/** How a test advances a service; nothing happens by itself. */
export interface VirtualTime {
  /** Hands every visible message to its worker, once; returns their number. */
  deliver(options?: DeliverOptions): Promise<number>
  /** Fires everything that is due and delivers until no message is visible anymore. */
  drain(options?: DeliverOptions): Promise<void>
  /** Lets time pass from one due moment to the next, draining at each; a worker that sleeps may advance it further. */
  pass(ms: number, options?: PassOptions): Promise<void>
  /** Starts the functions of the clocks that have struck, one after another. */
  tick(): Promise<void>
  /** When a message becomes visible, a schedule fires, or a scheduled function runs next. */
  nextDueAt(): number
}

export interface VirtualTimeParts {
  clock: MovableClock
  queues: Queues
  schedules: Schedules
  feeds: readonly Feed[]
  clocks: readonly ClockPlan[]
  /** Starts the function of a clock. */
  tick(plan: ClockPlan): Promise<unknown>
  /** Whether a scheduled function would find nothing to do now. */
  isIdle(): boolean
  report: Report
}

const maxRounds = 10_000

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)

export const makeVirtualTime = (parts: VirtualTimeParts): VirtualTime => {
  const { clock, queues, schedules, feeds, clocks, tick, isIdle, report } = parts
  const ticks = new Map(clocks.map((plan) => [plan, nextTick(plan.everyMinutes, clock.now())]))

  const receiveAll = async ({ mapping, receive }: Feed) => {
    const batches = []
    for (let round = 0; round < maxRounds; round += 1) {
      if (!queues.peek(mapping.queueName).some(({ state }) => state === 'visible')) return batches
      batches.push(await receive(0))
    }
    throw new Error(`the messages of ${mapping.queueName} are visible and cannot be received`)
  }

  async function deliver({ order, together, before }: DeliverOptions = {}): Promise<number> {
    const handings: (() => Promise<void>)[] = []
    let count = 0
    for (const feed of feeds) {
      for (const batch of await receiveAll(feed)) {
        const records = order === 'shuffled' ? shuffled(batch) : batch
        count += records.length
        handings.push(async () => {
          await before?.()
          await feed.hand(records).catch((error) => report(feed.mapping.functionName, error))
        })
      }
    }
    const ordered = order === 'shuffled' ? shuffled(handings) : handings
    if (together) await Promise.all(ordered.map((hand) => hand()))
    else for (const hand of ordered) await hand()
    return count
  }

  async function drain(options?: DeliverOptions): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      await schedules.tick()
      if ((await deliver(options)) === 0) return
    }
    throw new Error(`after ${maxRounds} rounds there are still messages: two workers send to each other for ever`)
  }

  function nextDueAt(): number {
    const due = [queues.nextDueAt(), schedules.nextDueAt(), ...ticks.values()]
    return Math.min(...due.map((moment) => moment ?? Number.POSITIVE_INFINITY))
  }

  async function tickDue(tickMinutes: number): Promise<void> {
    for (const [plan, strikeAt] of ticks) {
      if (strikeAt > clock.now()) continue
      ticks.set(plan, nextTick(Math.max(plan.everyMinutes, tickMinutes), clock.now()))
      if (isIdle()) continue
      await tick(plan).catch((error) => report(plan.functionName, error))
    }
  }

  async function pass(ms: number, { tickMinutes = 0 }: PassOptions = {}): Promise<void> {
    const endMs = clock.now() + ms
    for (const [plan, strikeAt] of ticks) {
      ticks.set(plan, Math.min(strikeAt, nextTick(plan.everyMinutes, clock.now())))
    }
    await drain()
    for (;;) {
      const nextMs = nextDueAt()
      if (nextMs > endMs) break
      clock.set(Math.max(clock.now(), nextMs))
      await tickDue(tickMinutes)
      await drain()
    }
    clock.set(Math.max(clock.now(), endMs))
    await drain()
  }

  return { deliver, drain, pass, tick: () => tickDue(0), nextDueAt }
}

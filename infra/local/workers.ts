import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../shared/context.ts'
import { minuteMs } from '../../shared/time.ts'
import { setTimeoutUntil } from './engines/timer.ts'
import type { ClockPlan } from './template/functions.ts'
import type { Feed } from './workers/feed.ts'

/** Called for an invocation that failed as a whole. */
export type Report = (functionName: string, error: unknown) => void

const longPollSeconds = 20
const pauseAfterFailureMs = 1_000

/** Polls one queue as Lambda does: several batches in parallel, and more while all are busy. */
const pollQueue = (feed: Feed, stop: AbortSignal, report: Report): Promise<unknown> => {
  const { functionName, pollers, maxPollers, growEveryMs } = feed.mapping
  let running = 0
  let busy = 0
  const turn = async (waitSeconds: number): Promise<boolean> => {
    const records = await feed.receive(waitSeconds, stop)
    if (records.length === 0) return false
    busy += 1
    try {
      await feed.hand(records)
    } finally {
      busy -= 1
    }
    return true
  }
  const poll = async (waitSeconds: number, lasts: (received: boolean) => boolean) => {
    running += 1
    for (let received = true; !stop.aborted && lasts(received); ) {
      try {
        received = await turn(waitSeconds)
      } catch (error) {
        if (stop.aborted) break
        report(functionName, error)
        await sleep(pauseAfterFailureMs)
      }
    }
    running -= 1
  }
  const grow = async () => {
    const more = new Set<Promise<void>>()
    while (!stop.aborted) {
      await sleep(growEveryMs, undefined, { signal: stop, ref: false }).catch(() => undefined)
      if (stop.aborted || busy < running || running >= maxPollers) continue
      const extra = poll(0, (received) => received).finally(() => more.delete(extra))
      more.add(extra)
    }
    await Promise.all(more)
  }
  const steady = Array.from({ length: pollers }, () => poll(longPollSeconds, () => true))
  return Promise.all([...steady, grow()])
}

/** Polls the queue of every mapping; returns a function that stops this and waits for the invocations in flight. */
export const startPolling = (feeds: readonly Feed[], report: Report): (() => Promise<void>) => {
  const stop = new AbortController()
  const polls = feeds.map((feed) => pollQueue(feed, stop.signal, report))
  return async () => {
    stop.abort()
    await Promise.all(polls)
  }
}

/** The next full minute at which a clock of this many minutes ticks. */
export const nextTick = (everyMinutes: number, nowMs: number): number => {
  const stepMs = everyMinutes * minuteMs
  return (Math.floor(nowMs / stepMs) + 1) * stepMs
}

interface RunningClocks {
  /** Starts all functions in parallel, because time was skipped. */
  strike(): void
  /** Waits for those that run. */
  stop(): Promise<void>
}

/** Starts the functions that a clock starts, at full minutes. */
export const startClocks = (
  clocks: readonly ClockPlan[],
  clock: Clock,
  tick: (plan: ClockPlan) => Promise<unknown>,
  report: Report,
): RunningClocks => {
  const timers = new Map<ClockPlan, NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  const wind = (plan: ClockPlan) => {
    const strikeAt = nextTick(plan.everyMinutes, clock.now())
    timers.set(
      plan,
      setTimeoutUntil(
        strikeAt,
        () => clock.now(),
        () => start(plan),
      ),
    )
  }
  const start = (plan: ClockPlan) => {
    clearTimeout(timers.get(plan))
    wind(plan)
    const run: Promise<unknown> = tick(plan)
      .catch((error: unknown) => report(plan.functionName, error))
      .finally(() => running.delete(run))
    running.add(run)
  }
  clocks.forEach(wind)
  return {
    strike: () => clocks.forEach(start),
    async stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

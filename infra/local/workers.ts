import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../shared/context.ts'
import { setTimeoutUntil } from './engines/timer.ts'
import type { ClockPlan } from './template/functions.ts'
import type { Feed } from './workers/feed.ts'

/** Told of an invocation that failed as a whole. */
export type Report = (functionName: string, error: unknown) => void

const longPollSeconds = 20
const pauseAfterFailureMs = 1_000

/** Polls the queue of every mapping, as Lambda does; the answer stops it and waits for the invocations in hand. */
export const startPolling = (feeds: readonly Feed[], report: Report): (() => Promise<void>) => {
  const stop = new AbortController()
  const poll = async (feed: Feed) => {
    while (!stop.signal.aborted) {
      try {
        const records = await feed.receive(longPollSeconds, stop.signal)
        if (records.length > 0) await feed.hand(records)
      } catch (error) {
        if (stop.signal.aborted) return
        report(feed.mapping.functionName, error)
        await sleep(pauseAfterFailureMs)
      }
    }
  }
  const polls = feeds.flatMap((feed) => Array.from({ length: feed.mapping.pollers }, () => poll(feed)))
  return async () => {
    stop.abort()
    await Promise.all(polls)
  }
}

const minuteMs = 60_000

/** The next full minute at which a clock of this many minutes strikes. */
export const nextStrike = (everyMinutes: number, nowMs: number): number => {
  const stepMs = everyMinutes * minuteMs
  return (Math.floor(nowMs / stepMs) + 1) * stepMs
}

/** Starts the functions that a clock starts, at full minutes; the answer stops it and waits for those that run. */
export const startClocks = (
  clocks: readonly ClockPlan[],
  clock: Clock,
  strike: (functionName: string) => Promise<unknown>,
  report: Report,
): (() => Promise<void>) => {
  const timers = new Map<ClockPlan, NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  const wind = (plan: ClockPlan) => {
    const strikeAt = nextStrike(plan.everyMinutes, clock.now())
    const start = () => {
      wind(plan)
      const run: Promise<unknown> = strike(plan.functionName)
        .catch((error: unknown) => report(plan.functionName, error))
        .finally(() => running.delete(run))
      running.add(run)
    }
    timers.set(
      plan,
      setTimeoutUntil(strikeAt, () => clock.now(), start),
    )
  }
  clocks.forEach(wind)
  return async () => {
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(running)
  }
}

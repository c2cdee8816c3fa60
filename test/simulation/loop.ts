import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { shortName } from '../../infra/local/service/functions.ts'
import { Crash } from '../../infra/local/service/invocation.ts'
import type { MovableClock } from '../../infra/local/service/virtual-time.ts'
import type { FunctionPlan } from '../../infra/local/template/functions.ts'
import { makeEventQueue } from './event-queue.ts'
import type { IsNext } from './releases.ts'

/** One invocation of a function. */
export interface Task {
  /** The function, and which of its invocations this is. */
  readonly name: string
  /** When Lambda ends it. */
  readonly deadlineMs: number
  /** How far the clock of its machine is ahead. */
  readonly skewMs: number
  /** Whether it runs the next release. */
  readonly isNext: boolean
  /** The `X-Request-Id` of the request that it handles. */
  readonly requestId: string | undefined
  /** How many of its effects wait for their turn. */
  waiting: number
  /** How many effects it has had. */
  effects: number
}

/** What starts functions in addition to requests: the queues, schedules, and clocks of the service. */
export interface Pollers {
  /** When something is due next. */
  nextDueAt(): number
  /** Starts what is due now, and waits for none of it; returns whether anything was. */
  start(): boolean
}

interface Invoked {
  plan: FunctionPlan
  event: { headers?: Record<string, string> }
}

/** Turns of the event loop in which nothing moves before the loop believes that nothing will. */
const quietTurns = 2
/** A function that does nothing for so many turns waits for another one, which fetches a key for both. */
const stalledTurns = 300
/** In real time. */
const longestStepMs = 30_000

/**
 * Runs the functions of a service one effect at a time, in the order of a clock that jumps from one moment to the next.
 * What a function does between two effects takes no time. So the same draws make the same run.
 */
export const makeLoop = (startMs: number, skewOf: (taskName: string) => number, isNext: IsNext = () => false) => {
  let nowMs = startMs
  let inHand = 0
  const moments = makeEventQueue<() => void>()
  const tasks = new Map<unknown, Task>()
  const counts = new Map<string, number>()
  /** Requests that have no response yet, by their id. */
  const requests = new Set<string>()
  /** The invocation whose code runs; nothing inside of an effect, where engines and stand-ins run. */
  const current = new AsyncLocalStorage<Task | undefined>()

  const wait = (task: Task | undefined, ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const atMs = Math.min(nowMs + Math.max(0, ms), task?.deadlineMs ?? Number.POSITIVE_INFINITY)
    if (task) task.waiting += 1
    moments.add(atMs, () => {
      if (task) task.waiting -= 1
      resolve()
    })
    return promise.then(() => {
      if (task && nowMs >= task.deadlineMs) throw new Crash('its time is over')
    })
  }

  const begin = ({ plan, event }: Invoked): Task => {
    const count = (counts.get(plan.name) ?? 0) + 1
    counts.set(plan.name, count)
    const functionName = shortName(plan.name)
    const name = `${functionName} ${count}`
    return {
      name,
      deadlineMs: nowMs + plan.timeoutSeconds * 1000,
      skewMs: skewOf(name),
      isNext: isNext({ functionName, name, nowMs }),
      requestId: event.headers?.['X-Request-Id'],
      waiting: 0,
      effects: 0,
    }
  }
  const invocations = diagnostics.tracingChannel('local.invocation')
  invocations.start.bindStore(current, (invoked) => {
    const task = begin(invoked as Invoked)
    tasks.set(invoked, task)
    return task
  })
  const ended = { asyncEnd: (invoked: unknown) => void tasks.delete(invoked) }
  const none = () => {}
  const subscribers = { start: none, end: none, asyncStart: none, error: none, ...ended }
  invocations.subscribe(subscribers)

  /** Something happens outside of the loop: an effect, or a request on its way to its function or back. */
  const isBusy = (): boolean => {
    const served = new Set([...tasks.values()].map(({ requestId }) => requestId))
    return inHand > 0 || [...requests].some((id) => !served.has(id))
  }
  const isComputing = () => [...tasks.values()].some(({ waiting }) => waiting === 0)
  const settle = async () => {
    const startedMs = performance.now()
    for (let quiet = 0, stalled = 0; quiet < quietTurns; ) {
      await turn()
      if (performance.now() - startedMs > longestStepMs) throw new Error('a step of the simulation does not end')
      stalled = isBusy() ? 0 : stalled + 1
      quiet = stalled > 0 && (!isComputing() || stalled > stalledTurns) ? quiet + 1 : 0
    }
  }

  const clock: MovableClock = {
    now: () => Math.floor(nowMs + (current.getStore()?.skewMs ?? 0)),
    sleep: (ms) => wait(current.getStore(), ms),
    set(ms) {
      nowMs = ms
    },
  }

  return {
    clock,
    /** Without the skew of any machine, and with fractions. */
    nowMs: () => nowMs,
    /** The invocation whose code runs now. */
    task: () => current.getStore(),
    wait,
    /** Runs one effect for real, while nothing else moves. */
    carryOut: <T>(run: () => Promise<T>): Promise<T> => {
      inHand += 1
      return current.run(undefined, run).finally(() => {
        inHand -= 1
      })
    },
    /** A request of a person, by the id that its invocation will have. */
    request: async <T>(id: string, send: () => Promise<T>): Promise<T> => {
      requests.add(id)
      return send().finally(() => requests.delete(id))
    },
    /** Runs until the time is over, or until a promise of this run settles. */
    async run(pollers: Pollers, endMs: number, goal?: Promise<unknown>): Promise<void> {
      let reached = false
      const reach = () => {
        reached = true
      }
      goal?.then(reach, reach)
      for (;;) {
        await settle()
        if (reached) return
        if (pollers.start()) await settle()
        const nextMs = Math.min(moments.nextAtMs(), pollers.nextDueAt())
        if (nextMs > endMs) break
        nowMs = Math.max(nowMs, nextMs)
        if (moments.nextAtMs() <= nowMs) moments.take()?.()
      }
      nowMs = Math.max(nowMs, endMs)
    },
    close() {
      invocations.start.unbindStore(current)
      invocations.unsubscribe(subscribers)
    },
  }
}

export type Loop = ReturnType<typeof makeLoop>

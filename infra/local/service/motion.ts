import type { Authority } from '../iam/authority.ts'
import type { Blueprint } from '../template.ts'
import { makeFeed } from '../workers/feed.ts'
import { type Report, startClocks, startPolling } from '../workers.ts'
import type { Closing } from './closing.ts'
import type { Invoke } from './deliver-schedule.ts'
import type { Engines } from './engines.ts'
import { invokeForClock } from './invoke-as.ts'
import type { Pace } from './options.ts'
import { pollAs } from './poll-as.ts'
import { makeVirtualTime, type VirtualTime } from './virtual-time.ts'

export interface MotionParts {
  pace: Pace
  engines: Engines
  authority: Authority
  blueprint: Blueprint
  invoke: Invoke
  report: Report
}

const refuse = (): never => {
  throw new Error('this service polls by itself: wait for what it does')
}
const movesByItself = async (): Promise<never> => refuse()

/** Connects queues and clocks with their functions, at the requested pace. */
export const setInMotion = (
  { pace, engines, authority, blueprint, invoke, report }: MotionParts,
  closing: Closing,
): VirtualTime => {
  const { mappings, clocks } = blueprint
  const { queues, schedules, hasUpTo } = engines
  const feeds = mappings.map((mapping) => {
    const { functionName } = mapping
    return makeFeed(pollAs(queues, authority, functionName), mapping, (event) => invoke(functionName, event))
  })
  const tick = invokeForClock(authority, invoke)
  if (pace.polling === 'manual') {
    // The sweeper is the only scheduled function. Runs of it that find nothing would be half of all calls of the tests.
    const isIdle = () => hasUpTo !== undefined && !hasUpTo('sweep', pace.clock.now())
    return makeVirtualTime({ clock: pace.clock, queues, schedules, feeds, clocks, tick, isIdle, report })
  }
  closing.add(startPolling(feeds, report))
  const running = startClocks(clocks, pace.clock, tick, report)
  closing.add(running.stop)
  pace.shift?.onMove(() => {
    queues.wake()
    void schedules.tick().catch((error) => report('schedules', error))
    running.strike()
  })
  return {
    deliver: movesByItself,
    drain: movesByItself,
    pass: movesByItself,
    tick: movesByItself,
    nextDueAt: refuse,
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import * as z from 'zod/mini'
import type { Call, Invocation } from '../../infra/deploy/cost/usage.ts'
import { shortName } from '../../infra/local/service/functions.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'

interface Running {
  functionName: string
  queue: string | undefined
  memoryMb: number
  firstMs: number | undefined
  lastMs: number
  cpuAtStart: NodeJS.CpuUsage
  calls: (Call & { begin: number; end: number })[]
}

/** What the runner reports of an invocation (infra/local/service/functions.ts). */
const InvocationMessage = z.object({
  plan: z.object({ name: z.string(), memoryMb: z.number() }),
  event: z.optional(
    z.looseObject({ Records: z.optional(z.array(z.looseObject({ eventSourceARN: z.optional(z.string()) }))) }),
  ),
})

/**
 * Watches the invocations of this process. The processor time of one includes that of the engines it calls, which AWS
 * does not bill, and of everything else that runs at the same time: run one at a time.
 */
export const watchInvocations = (clock: { now(): number }) => {
  const current = new AsyncLocalStorage<Running>()
  const channel = diagnostics.tracingChannel('local.invocation')
  let ended: Invocation[] = []
  let position = 0
  channel.start.bindStore(current, (message) => {
    const { plan, event } = z.parse(InvocationMessage, message)
    return {
      functionName: shortName(plan.name),
      queue: event?.Records?.[0]?.eventSourceARN?.split(':').at(-1),
      memoryMb: plan.memoryMb,
      firstMs: undefined,
      lastMs: 0,
      cpuAtStart: process.cpuUsage(),
      calls: [],
    }
  })
  const finish = () => {
    const running = current.getStore()
    if (running === undefined) return
    const { functionName, queue, memoryMb, firstMs, lastMs, cpuAtStart, calls } = running
    const { user, system } = process.cpuUsage(cpuAtStart)
    const waitMs = firstMs === undefined ? 0 : lastMs - firstMs
    ended.push({ functionName, queue, memoryMb, waitMs, cpuMs: (user + system) / 1000, calls })
  }
  diagnostics.subscribe('tracing:local.invocation:asyncEnd', finish)
  const observe: ObserveFunction = async ({ service, action }, run) => {
    const running = current.getStore()
    if (running === undefined) return run()
    running.firstMs ??= clock.now()
    running.lastMs = clock.now()
    const before = running.calls.filter(({ end }) => end < position).map(({ step }) => step)
    const call = { service, action, step: Math.max(0, ...before) + 1, begin: position++, end: Number.POSITIVE_INFINITY }
    running.calls.push(call)
    try {
      return await run()
    } finally {
      call.end = position++
    }
  }
  return {
    observe,
    /** The invocations that end while something runs. */
    during: async (run: () => Promise<unknown>): Promise<readonly Invocation[]> => {
      ended = []
      await run()
      return ended
    },
    close: () => {
      channel.start.unbindStore(current)
      diagnostics.unsubscribe('tracing:local.invocation:asyncEnd', finish)
    },
  }
}

import diagnostics from 'node:diagnostics_channel'
import { parentPort, workerData } from 'node:worker_threads'
import { shiftDate } from '../engines/clock-shift.ts'
import type { HostAnswer, HostCall, HostLoad } from './host-call.ts'
import { type Handler, loadBundle } from './load-bundle.ts'

/** The program of a thread that runs bundles; each is loaded once, before its first call or with it, as on Lambda. */
const port = parentPort
if (port === null) throw new Error('this program runs in a thread of the local service')

if (workerData?.shared !== undefined) shiftDate(workerData.shared)

const loaded = new Map<string, Handler>()

/** Called for every invocation at its start and end; a benchmark listens here (node:diagnostics_channel). */
const invocations = diagnostics.tracingChannel('local.invocation')

const load = ({ file, plan }: HostLoad): Handler => {
  const handler = loaded.get(plan.name) ?? loadBundle(file, plan)
  loaded.set(plan.name, handler)
  return handler
}

const loadAhead = (of: HostLoad): void => {
  try {
    load(of)
  } catch {
    // Its invocations try again, and say why.
  }
}

const run = (call: HostCall): Promise<unknown> => {
  const { plan, event } = call
  const handler = load(call)
  // Moving the clock does not shorten the time of a running function.
  const endMs = performance.now() + plan.timeoutSeconds * 1000
  const context = {
    functionName: plan.name,
    memoryLimitInMB: String(plan.memoryMb),
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(endMs - performance.now())),
  }
  return invocations.tracePromise(() => handler(event, context), { event })
}

port.on('message', async (call: HostCall | HostLoad) => {
  if (!('id' in call)) return loadAhead(call)
  const { id } = call
  try {
    port.postMessage({ id, answer: await run(call) } satisfies HostAnswer)
  } catch (error) {
    port.postMessage({ id, error } satisfies HostAnswer)
  }
})

import { median } from './measure.ts'
import type { Seen } from './trace.ts'

interface Step {
  name: string
  /** Since the request arrived. */
  startMs: number
  tookMs: number
  engineMs?: number | undefined
}

/** One request of the API with its steps in the order of their beginning. */
export interface Traced {
  route: string
  tookMs: number
  calls: number
  steps: readonly Step[]
}

type Received = Seen['received'][number]
type Invoked = Seen['invoked'][number]

/** How long an engine had a call: what arrived from its port while it was under way. */
const engineMsOf = (received: readonly Received[], call: Invoked['calls'][number]): number | undefined => {
  const arrived = received.find(
    ({ remotePort, startMs }) => remotePort === call.port && startMs >= call.startMs && startMs <= call.endMs,
  )
  return arrived && arrived.endMs - arrived.startMs
}

/** Between its calls a function works by itself. */
const ownSteps = ({ startMs, endMs, calls }: Invoked): Step[] => {
  const steps: Step[] = []
  let [fromMs, phase] = [startMs, 'reads the event and the token']
  for (const call of calls.toSorted((a, b) => a.startMs - b.startMs)) {
    if (call.startMs > fromMs)
      steps.push({ name: `function: ${phase}`, startMs: fromMs, tookMs: call.startMs - fromMs })
    fromMs = Math.max(fromMs, call.endMs)
    phase = 'works on what it read or wrote'
  }
  return [...steps, { name: 'function: makes its answer', startMs: fromMs, tookMs: endMs - fromMs }]
}

const traceOne = (request: Received, [outside, inside]: readonly [Invoked, Invoked], received: readonly Received[]) => {
  const between = (name: string, startMs: number, endMs: number): Step => ({ name, startMs, tookMs: endMs - startMs })
  const calls = inside.calls.map((call) => ({
    ...between(call.name, call.startMs, call.endMs),
    engineMs: engineMsOf(received, call),
  }))
  const steps: Step[] = [
    between('gateway: reads the request, makes the event', request.startMs, outside.startMs),
    between('on the way to the thread of the functions', outside.startMs, inside.startMs),
    ...ownSteps(inside),
    ...calls,
    between('on the way back', inside.endMs, outside.endMs),
    between('gateway: sends the answer', outside.endMs, request.endMs),
  ]
  return {
    route: request.route,
    tookMs: request.endMs - request.startMs,
    calls: calls.length,
    steps: steps
      .map((step) => ({ ...step, startMs: step.startMs - request.startMs }))
      .sort((a, b) => a.startMs - b.startMs),
  }
}

/** Joins what the threads have seen to requests: the gateway sees an invocation from outside, the function from inside. */
export const join = (threads: readonly Seen[]): Traced[] => {
  const received = threads.flatMap((thread) => thread.received)
  const invoked = Map.groupBy(
    threads.flatMap((thread) => thread.invoked),
    ({ id }) => id,
  )
  return received.flatMap((request) => {
    if (request.id === undefined) return []
    const [outside, inside] = (invoked.get(request.id) ?? []).toSorted((a, b) => a.startMs - b.startMs)
    return outside && inside ? [traceOne(request, [outside, inside], received)] : []
  })
}

/** Numbers the steps of one name, so that the first of one request is compared with the first of another. */
const numbered = (steps: readonly Step[]): Step[] => {
  const seen = new Map<string, number>()
  return steps.map((step) => {
    const count = (seen.get(step.name) ?? 0) + 1
    seen.set(step.name, count)
    return count === 1 ? step : { ...step, name: `${step.name} (${count})` }
  })
}

const cell = (ms: number | undefined) => (ms === undefined ? '' : ms.toFixed(2))

/**
 * Where the time of one route goes: each step that most of its requests took, with the medians of when it began, how long
 * it took, and how long of that the engine had it. Steps that overlap ran concurrently.
 */
export const tabulate = (title: string, requests: readonly Traced[]): string => {
  const all = Map.groupBy(
    requests.flatMap(({ steps }) => numbered(steps)),
    ({ name }) => name,
  )
  const rows = [...all]
    .filter(([, steps]) => steps.length * 2 > requests.length)
    .map(([name, steps]) => {
      const engines = steps.flatMap(({ engineMs }) => engineMs ?? [])
      return {
        name,
        startMs: median(steps.map(({ startMs }) => startMs)),
        tookMs: median(steps.map(({ tookMs }) => tookMs)),
        engineMs: engines.length > 0 ? median(engines) : undefined,
      }
    })
    .sort((a, b) => a.startMs - b.startMs)
  const calls = median(requests.map((traced) => traced.calls))
  const total = median(requests.map(({ tookMs }) => tookMs))
  return [
    `**${title}**: ${cell(total)} ms, ${calls} calls to engines (medians of ${requests.length} requests)`,
    '',
    '| step | begins at ms | takes ms | of it in the engine |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      ({ name, startMs, tookMs, engineMs }) => `| ${name} | ${cell(startMs)} | ${cell(tookMs)} | ${cell(engineMs)} |`,
    ),
  ].join('\n')
}

import { median } from './measure.ts'
import type { Traced, Trip } from './trace.ts'

const cell = (ms: number) => ms.toFixed(2)

interface Step {
  name: string
  startMs: number
  tookMs: number
  engineMs?: number
}

/** Between the trips the function works by itself. */
const ownSteps = ({ invokedMs, returnedMs, trips }: Traced): Step[] => {
  const steps: Step[] = []
  let fromMs = invokedMs
  let last = 'the event, headers and token are read'
  for (const trip of trips.toSorted((a, b) => a.startMs - b.startMs)) {
    if (trip.startMs > fromMs) steps.push({ name: `function: ${last}`, startMs: fromMs, tookMs: trip.startMs - fromMs })
    last = 'works on what it read or wrote'
    fromMs = Math.max(fromMs, trip.endMs)
  }
  return [...steps, { name: 'function: makes its answer', startMs: fromMs, tookMs: returnedMs - fromMs }]
}

const stepsOf = (traced: Traced): Step[] => [
  { name: 'gateway: reads the request, makes the event', startMs: 0, tookMs: traced.invokedMs },
  ...ownSteps(traced),
  ...traced.trips.map(({ name, startMs, endMs, engineMs }: Trip) => ({
    ...{ name, startMs, engineMs },
    tookMs: endMs - startMs,
  })),
  {
    name: 'gateway: sends the answer',
    startMs: traced.returnedMs,
    tookMs: traced.endMs - traced.returnedMs,
  },
]

/** Numbers the steps of one name, so that the first of one request is compared with the first of another. */
const numbered = (steps: readonly Step[]): Step[] => {
  const seen = new Map<string, number>()
  return steps.map((step) => {
    const count = (seen.get(step.name) ?? 0) + 1
    seen.set(step.name, count)
    return count === 1 ? step : { ...step, name: `${step.name} (${count})` }
  })
}

/**
 * Where the time of one route goes: each step that most of its requests took, with the medians of when it began, how long
 * it took, and how long of that the engine had it. Steps that overlap ran beside each other.
 */
export const tabulate = (title: string, requests: readonly Traced[]): string => {
  const all = Map.groupBy(
    requests.flatMap((traced) => numbered(stepsOf(traced))),
    ({ name }) => name,
  )
  const usual = [...all].filter(([, steps]) => steps.length * 2 > requests.length)
  const rows = usual
    .map(([name, steps]) => ({
      name,
      startMs: median(steps.map(({ startMs }) => startMs)),
      tookMs: median(steps.map(({ tookMs }) => tookMs)),
      engineMs: steps[0]?.engineMs === undefined ? undefined : median(steps.map(({ engineMs = 0 }) => engineMs)),
    }))
    .sort((a, b) => a.startMs - b.startMs)
  const trips = median(requests.map((traced) => traced.trips.length))
  const total = median(requests.map(({ endMs }) => endMs))
  return [
    `**${title}**: ${cell(total)} ms, ${trips} calls to engines (medians of ${requests.length} requests)`,
    '',
    '| step | begins at ms | takes ms | of it in the engine |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      ({ name, startMs, tookMs, engineMs }) =>
        `| ${name} | ${cell(startMs)} | ${cell(tookMs)} | ${engineMs === undefined ? '' : cell(engineMs)} |`,
    ),
  ].join('\n')
}

import { type Run, type RunOptions, runSimulation } from './run.ts'

/** How often a run is repeated at most. */
const maxRuns = 120

/** What kind of violation it is: its words without ids and numbers. */
const kindOf = (violation: string): string => violation.replaceAll(/"[^"]*"|\S*\d\S*/g, '…')

/** The same run with as few faults and people as it takes to break the same thing (ddmin; Zeller, Hildebrandt, 2002). */
export const minimize = async (first: Run, options: RunOptions): Promise<Run> => {
  const kind = kindOf(first.violations[0] ?? '')
  let best = first
  let left = [...first.names]
  let runs = 0
  for (let size = Math.ceil(left.length / 2); size >= 1 && runs < maxRuns; ) {
    let isSmaller = false
    for (let at = 0; at < left.length && runs < maxRuns; ) {
      const remaining = left.toSpliced(at, size)
      const without = new Set(first.names.filter((name) => !remaining.includes(name)))
      runs += 1
      const result = await runSimulation(first.seed, { ...options, without })
      if (result.violations.some((violation) => kindOf(violation) === kind)) {
        best = result
        left = remaining
        isSmaller = true
      } else at += size
    }
    if (!isSmaller) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return best
}

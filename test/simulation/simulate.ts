import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import '../support/known-keys.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { minimize } from './minimize.ts'
import { makeNextRelease } from './releases.ts'
import { type RunOptions, runSimulation } from './run.ts'

const usage = `Simulates the service under faults, and checks its invariants (test/README.md, "Simulation").

  npm run simulate -- --seeds 500              runs 500 seeds, in one process for each core
  npm run simulate -- --seeds 500 --from 1000  runs the seeds 1000 to 1499
  npm run simulate -- --seed 42                prints the timeline of one seed; with --verbose, every effect
`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    /** Ends at the first seed that violates an invariant. */
    first: { type: 'boolean', default: false },
    /** For the processes that this one starts: how many there are, what was synthesized, and the next release. */
    every: { type: 'string' },
    folder: { type: 'string' },
    next: { type: 'string' },
  },
})

/** What a process reports of one seed. */
const Report = z.object({ seed: z.number(), effects: z.number(), faults: z.number(), violations: z.array(z.string()) })
type Report = z.infer<typeof Report>

const reportOf = async (seed: number, runOptions: RunOptions): Promise<Report> => {
  const { violations, trace, timeline } = await runSimulation(seed, runOptions)
  const faults = timeline.filter((line) => line.endsWith(' **')).length
  return { seed, effects: trace.length, faults, violations: [...violations] }
}

const printSeed = async (seed: number, runOptions: RunOptions): Promise<boolean> => {
  const result = await runSimulation(seed, runOptions)
  console.log((values.verbose ? result.trace : result.timeline).join('\n'))
  if (result.violations.length === 0) return true
  const { timeline } = await minimize(result, runOptions)
  console.log(`\nMinimized:\n\n${timeline.join('\n')}`)
  return false
}

/** Runs the seeds in separate processes, one share each. */
const runSeeds = async (from: number, count: number, { folder, nextRelease }: RunOptions): Promise<Report[]> => {
  const processes = Math.min(availableParallelism(), count)
  const reports: Report[] = []
  const shares = Array.from({ length: processes }, (_, n) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const own = [
      '--from',
      from + n,
      '--seeds',
      count - n,
      '--every',
      processes,
      '--folder',
      folder,
      '--next',
      nextRelease,
    ]
    const child = fork(import.meta.filename, own.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.on('message', (message) => {
      const report = z.parse(Report, message)
      reports.push(report)
      if (reports.length % 100 === 0) console.log(`${reports.length} of ${count} seeds`)
      for (const violation of report.violations) console.log(`seed ${report.seed}: ${violation}`)
      if (values.first && report.violations.length > 0) stop()
    })
    child.on('exit', (code) =>
      code === 0 || isStopped ? resolve() : reject(new Error(`a process ended with ${code}`)),
    )
    return { child, promise }
  })
  let isStopped = false
  const stop = () => {
    isStopped = true
    for (const { child } of shares) child.kill()
  }
  await Promise.all(shares.map(({ promise }) => promise))
  return reports
}

const main = async (): Promise<void> => {
  const { seed, seeds, every, from } = values
  if (seed === undefined && seeds === undefined) return void console.log(usage)
  const folder = values.folder ?? (await synthesizeOnce())
  if (every !== undefined && values.next !== undefined) {
    const runOptions = { folder, nextRelease: values.next }
    for (let n = 0; n < Number(seeds); n += Number(every)) process.send?.(await reportOf(Number(from) + n, runOptions))
    // The channel to the process that started this one.
    return process.disconnect()
  }
  const runOptions = { folder, nextRelease: makeNextRelease() }
  process.on('exit', () => rmSync(dirname(runOptions.nextRelease), { recursive: true }))
  if (seed !== undefined) {
    if (!(await printSeed(Number(seed), runOptions))) process.exitCode = 1
    return
  }
  const startedMs = performance.now()
  const reports = await runSeeds(Number(from), Number(seeds), runOptions)
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0)
  const broken = reports.filter(({ violations }) => violations.length > 0).map((report) => report.seed)
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  console.log(
    `${reports.length} seeds with ${sum(({ effects }) => effects)} effects, of which ${sum(({ faults }) => faults)} went wrong, in ${seconds} s: ${broken.length} with violations`,
  )
  if (broken.length > 0) process.exitCode = 1
  const [least] = broken.toSorted((a, b) => a - b)
  if (least !== undefined && !values.first) await printSeed(least, runOptions)
}

await main()

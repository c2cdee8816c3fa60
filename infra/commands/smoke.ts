import { minuteMs } from '../../shared/time.ts'
import { readOptions, Usage } from '../deploy/smoke/options.ts'
import { lineOf, type Report, summaryOf } from '../deploy/smoke/report.ts'

/** The journey takes seconds; with a real post, two minutes more. */
const longestMs = 10 * minuteMs

/** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process without cleaning up. */
const interruption = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`interrupted by ${signal}`)))
  }
  return controller.signal
}

/** Walks the main journey of a deployment; returns the exit code. */
const run = async (args: readonly string[]): Promise<number> => {
  const options = readOptions(args, process.env)
  const interrupted = interruption()
  // Loaded late, so that errors in the options appear immediately.
  const [{ runSmoke }, { makeWorld }] = await Promise.all([
    import('../deploy/smoke/run.ts'),
    import('../deploy/smoke/world.ts'),
  ])
  const world = makeWorld(options, AbortSignal.any([interrupted, AbortSignal.timeout(longestMs)]))
  const print = (line: string) => options.json || process.stdout.write(`${line}\n`)
  const steps = await runSmoke(world, (result) => print(lineOf(result)))
  const isOk = !world.stopped.aborted && steps.every(({ outcome }) => outcome !== 'failed')
  const report: Report = { baseUrl: options.baseUrl, outcome: isOk ? 'ok' : 'failed', steps }
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  print(`${interrupted.aborted ? 'Interrupted. ' : ''}${options.baseUrl}: ${summaryOf(steps)}`)
  return isOk ? 0 : 1
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof Usage)) throw error
  process.stderr.write(`${error.message}\n`)
  return 2
})

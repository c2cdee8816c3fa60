import { causeOf } from './listen/forward.ts'
import { readOptions } from './listen/options.ts'
import { Stop } from './local/start/stop.ts'

/** Aborted by Ctrl-C or SIGTERM. */
const interruption = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

const print = (text: string) => void process.stdout.write(text)

/** Forwards the events of a workspace until it is stopped. */
const run = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args, process.env)
  const stopped = interruption()
  if (options.fromLog) {
    const { listenByLog } = await import('./listen/from-log.ts')
    return listenByLog(options, print, stopped)
  }
  const { listenByEndpoint } = await import('./listen/from-endpoint.ts')
  const close = await listenByEndpoint(options, print)
  await new Promise((resolve) => stopped.addEventListener('abort', resolve))
  await close()
}

// A receiver that still listens must not keep a command that has failed.
process.exit(
  await run(process.argv.slice(2)).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'AbortError') return 0
      process.stderr.write(`${causeOf(error)}\n`)
      return error instanceof Stop ? 2 : 1
    },
  ),
)

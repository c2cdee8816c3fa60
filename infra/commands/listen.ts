import { causeOf, lineOf, type Show } from '../clients/listen/forward.ts'
import { openListenState } from '../clients/listen/listen-state.ts'
import { readOptions } from '../clients/listen/options.ts'
import { Stop } from '../local/stop.ts'

/** Aborted by Ctrl-C or SIGTERM. */
const interruption = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

const print = (text: string) => void process.stdout.write(text)

const show: Show = { note: print, delivered: (delivery) => print(lineOf(delivery)) }

/** Forwards the events of a workspace until it is stopped. */
const run = async (args: readonly string[]): Promise<void> => {
  const options = readOptions(args, process.env)
  const { target, events } = options
  const state = openListenState(options.stateFile, options)
  const stopped = interruption()
  // Loaded late, so that errors in the options appear immediately.
  const { endpointsOf, readerOf } = await import('../clients/listen/service.ts')
  if (options.fromLog) {
    const { listenByLog } = await import('../clients/listen/from-log.ts')
    return listenByLog({ target, events, state, read: readerOf(options) }, show, stopped)
  }
  const { listenByEndpoint } = await import('../clients/listen/from-endpoint.ts')
  const close = await listenByEndpoint(
    { target, events, state, name: 'npm run listen', endpoints: endpointsOf(options) },
    show,
  )
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

import { rmSync } from 'node:fs'
import { claimFolder } from './start/claim-folder.ts'
import { awaitEnd, exitCodeOf } from './start/ending.ts'
import { layoutOf } from './start/layout.ts'
import type { Opened } from './start/open.ts'
import { help, readOptions, type StartOptions } from './start/options.ts'
import { choosePorts } from './start/ports.ts'
import { checkState, deleteState } from './start/saved-state.ts'
import { reasonOf, Stop } from './stop.ts'

const prepare = async (options: StartOptions): Promise<Opened> => {
  const layout = layoutOf(options.state)
  await claimFolder(options.state)
  if (options.reset) deleteState(layout)
  // The data of a killed run is stale.
  for (const stale of [layout.service, layout.operator]) rmSync(stale, { force: true })
  checkState(layout)
  const ports = await choosePorts(layout.ports)
  // Loaded late, so that errors in the options appear immediately.
  const { open } = await import('./start/open.ts')
  return open(layout, ports, options)
}

/** Runs the service until it is stopped; returns the exit code. */
const run = async (): Promise<number> => {
  const ended = awaitEnd()
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(help)
    return 0
  }
  const opened = await Promise.race([prepare(options), ended])
  if (typeof opened === 'string') return exitCodeOf(opened)
  if (!options.once) await ended
  await opened.close()
  return options.once && opened.problems.length > 0 ? 1 : 0
}

process.exit(
  await run().catch((error: unknown) => {
    // Into the log, once there is one.
    if (error instanceof Error && !(error instanceof Stop)) process.stdout.write(`${error.stack}\n`)
    process.stderr.write(`${reasonOf(error)}\n`)
    return 1
  }),
)

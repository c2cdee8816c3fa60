import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { claimFolder } from '../start/claim-folder.ts'
import { awaitEnd, exitCodeOf } from '../start/ending.ts'
import { layoutOf } from '../start/layout.ts'
import { checkState } from '../start/saved-state.ts'
import { checkFormatFile, writeFormatFile } from '../start/state-format.ts'
import { reasonOf, Stop } from '../stop.ts'
import { checkAll } from './check.ts'
import type { Server } from './open.ts'
import { readSettings, SettingsError } from './settings.ts'

const options = '[--config <file>] [--check]'

const help = (command: string) => `Usage: ${command} ${options}

Runs the service on this machine for real: posts are published on the platforms.

  --config <file>  Reads the settings of another file. The default is serve.json.
  --check          Tries every setting, says what to fix, and ends.
  --help           Prints this text.

Each setting can be a variable as well: PORT, BASE_URL, SMTP_URL, LINKEDIN_CLIENT_ID, …, and each variable can end in
_FILE and name a file. infra/openapi/guides/one-machine.md explains all.
`

const readArguments = (command: string) => {
  try {
    return parseArgs({
      options: {
        config: { type: 'string' },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new SettingsError(`${reasonOf(error).split('. ', 1)[0]}. Usage: ${command} ${options}`)
  }
}

/** Runs the service until it is stopped; returns the exit code. */
const run = async (server: Server): Promise<number> => {
  const ended = awaitEnd()
  const { config, check, help: asksForHelp } = readArguments(server.command)
  if (asksForHelp) {
    process.stdout.write(help(server.command))
    return 0
  }
  const file = config === undefined ? join(server.home, 'serve.json') : resolve(config)
  const settings = readSettings({ file, isNamed: config !== undefined, environment: process.env })
  if (check) return checkAll(settings)
  const layout = layoutOf(settings.state)
  await claimFolder(settings.state)
  // The data of a killed run is stale.
  rmSync(layout.operator, { force: true })
  checkFormatFile(settings.state, layout.format)
  checkState(layout)
  writeFormatFile(layout.format)
  const opening = import('./open.ts').then(({ open }) => open(settings, layout, server))
  const opened = await Promise.race([opening, ended])
  if (typeof opened === 'string') return exitCodeOf(opened)
  await ended
  await opened()
  return 0
}

/** The same; an error is printed. */
export const runServe = async (server: Server): Promise<number> => {
  try {
    return await run(server)
  } catch (error) {
    const isTheirs = error instanceof Stop || error instanceof SettingsError
    process.stderr.write(`${error instanceof Error && !isTheirs ? error.stack : reasonOf(error)}\n`)
    return error instanceof SettingsError ? 2 : 1
  }
}

import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkAll } from './serve/check.ts'
import { readSettings, SettingsError } from './serve/settings.ts'
import { claimFolder } from './start/claim-folder.ts'
import { awaitEnd, exitCodeOf } from './start/ending.ts'
import { layoutOf } from './start/layout.ts'
import { root } from './start/options.ts'
import { checkState } from './start/saved-state.ts'
import { reasonOf, Stop } from './stop.ts'

const usage = 'npm run serve -- [--config <file>] [--check]'

const help = `Usage: ${usage}

Runs the service on this machine for real: posts are published on the platforms.

  --config <file>  Reads the settings of another file. The default is serve.json.
  --check          Tries every setting, says what to fix, and ends.
  --help           Prints this text.

Each setting can be a variable as well: PORT, BASE_URL, SMTP_URL, LINKEDIN_CLIENT_ID, …, and each variable can end in
_FILE and name a file. infra/openapi/guides/one-machine.md explains all.
`

const readArguments = (args: readonly string[]) => {
  try {
    const options = {
      config: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new SettingsError(`${reasonOf(error).split('. ', 1)[0]}. Usage: ${usage}`)
  }
}

/** Runs the service until it is stopped; returns the exit code. */
const run = async (): Promise<number> => {
  const ended = awaitEnd()
  const { config, check, help: asksForHelp } = readArguments(process.argv.slice(2))
  if (asksForHelp) {
    process.stdout.write(help)
    return 0
  }
  const file = config === undefined ? `${root}/serve.json` : resolve(config)
  const settings = readSettings({ file, isNamed: config !== undefined, environment: process.env })
  if (check) return checkAll(settings)
  const layout = layoutOf(settings.state)
  await claimFolder(settings.state)
  // The data of a killed run is stale.
  rmSync(layout.operator, { force: true })
  checkState(layout)
  const opening = import('./serve/open.ts').then(({ open }) => open(settings, layout))
  const opened = await Promise.race([opening, ended])
  if (typeof opened === 'string') return exitCodeOf(opened)
  await ended
  await opened()
  return 0
}

process.exit(
  await run().catch((error: unknown) => {
    if (error instanceof Error && !(error instanceof Stop) && !(error instanceof SettingsError))
      process.stderr.write(`${error.stack}\n`)
    else process.stderr.write(`${reasonOf(error)}\n`)
    return error instanceof SettingsError ? 2 : 1
  }),
)

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf, Stop } from '../stop.ts'

export const root = join(import.meta.dirname, '../../..')

/** The default state folder. */
export const defaultState = join(root, '.local')

/** Where the templates of the stage `local` are synthesized, whichever state folder a service uses. */
export const localAssembly = join(defaultState, 'assembly')

/** What `npm run serve` runs: all functions in one bundle, and its templates (infra/deploy/server.ts). */
export const serverFolder = join(defaultState, 'server')

export interface StartOptions {
  /** Ends after the demonstration. */
  once: boolean
  /** Forgets everything before it starts. */
  reset: boolean
  /** When to run the demo. */
  demo: 'always' | 'on first start' | 'never'
  /** Whether to print no line per request, publication, and webhook. */
  quiet: boolean
  /** The folder of everything that survives a restart. */
  state: string
  /** Sells plans through the stand-in for Stripe. */
  billing: boolean
}

const usage = 'npm start -- [--once] [--reset] [--demo | --no-demo] [--quiet] [--billing] [--state <folder>]'

/** What `--help` prints. */
export const help = `Usage: ${usage}

Runs the whole service on this machine, with stand-ins for AWS and for the platforms.

  --demo            Runs the demonstration. Without it, only the first start does.
  --no-demo         Skips the demonstration.
  --once            Exits after the demonstration.
  --reset           Deletes the kept state and starts with an empty one.
  --billing         Sells plans through a stand-in of Stripe. Without it, every workspace has access.
  --quiet           Prints no line per request, publication, and webhook. The log has them all the same.
  --state <folder>  Keeps the state in another folder. The default is .local.
  --help            Prints this text.

PORT, MEDIA_PORT, INBOX_PORT, PLATFORMS_PORT, PUSH_PORT, and STRIPE_PORT choose the ports. The stand-ins of the
platforms take one port each, and one for their page, from PLATFORMS_PORT on.
Without --state, the API gets port 3000 if it is free.

  eval "$(npm run -s env)"   Sets BASE, TOKEN, WORKSPACE, SESSION, ACCOUNT, PLATFORMS, and INBOX in your shell.
`

const demoFrom = (values: { once: boolean; demo: boolean; 'no-demo': boolean }): StartOptions['demo'] => {
  if (values['no-demo']) return 'never'
  return values.demo || values.once ? 'always' : 'on first start'
}

/** The options of the command line; undefined if help is requested. */
export const readOptions = (args: readonly string[]): StartOptions | undefined => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        once: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        demo: { type: 'boolean', default: false },
        'no-demo': { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
        billing: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        state: { type: 'string', default: defaultState },
      },
    })
    if (values.help) return undefined
    const { once, reset, quiet, billing } = values
    return { once, reset, quiet, billing, demo: demoFrom(values), state: resolve(values.state) }
  } catch (error) {
    throw new Stop(`${reasonOf(error).split('. ', 1)[0]}. Usage: ${usage}`)
  }
}

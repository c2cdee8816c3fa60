import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf, Stop } from './stop.ts'

export const root = join(import.meta.dirname, '../../..')

/** The state folder where none is named. */
export const defaultState = join(root, '.local')

/** Where the templates of the stage `local` are synthesized, whichever state folder a service runs on. */
export const localAssembly = join(defaultState, 'assembly')

export interface StartOptions {
  /** Ends after the demonstration. */
  once: boolean
  /** Forgets everything before it starts. */
  reset: boolean
  /** Whether to do the main job before the user's eyes. */
  demo: boolean
  /** The folder of everything that survives a restart. */
  state: string
}

const usage = 'npm start -- [--once] [--reset] [--no-demo] [--state <folder>]'

/** The options on the command line. */
export const readOptions = (args: readonly string[]): StartOptions => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        once: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        'no-demo': { type: 'boolean', default: false },
        state: { type: 'string', default: defaultState },
      },
    })
    return { once: values.once, reset: values.reset, demo: !values['no-demo'], state: resolve(values.state) }
  } catch (error) {
    throw new Stop(`${reasonOf(error).split('. ', 1)[0]}. Usage: ${usage}`)
  }
}

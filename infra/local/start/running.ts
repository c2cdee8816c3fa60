import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Stop } from '../stop.ts'
import { holderOf } from './hold-socket.ts'
import { layoutOf } from './layout.ts'
import { defaultState } from './options.ts'
import { writeWhileRunning } from './write-while-running.ts'

/** Where each running service of this checkout leaves the name of its state folder. */
const runningFolder = join(defaultState, 'running')

const Note = z.object({ state: z.string() })

export const recordRunning = (state: string, notes = runningFolder): void => {
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  writeWhileRunning(join(notes, `${process.pid}.json`), { state })
}

/** The state folder that a note names, if its service runs; a note that a killed one left is removed. */
const readNote = async (note: string): Promise<string | undefined> => {
  try {
    const { state } = z.parse(Note, JSON.parse(readFileSync(note, 'utf8')))
    if ((await holderOf(layoutOf(state).claim)) !== undefined) return state
  } catch {
    // The service has just removed it.
  }
  rmSync(note, { force: true })
  return undefined
}

const runningStates = async (notes: string): Promise<string[]> => {
  const names = readdirSync(notes).filter((name) => name.endsWith('.json'))
  const read = await Promise.all(names.map((name) => readNote(join(notes, name))))
  return read.filter((state) => state !== undefined).sort()
}

/**
 * The state folder of the running service: the default one if a service runs on it or none runs at all, otherwise the only
 * one. Throws Stop with their names if there are several.
 */
export const findState = async (notes = runningFolder, preferred = defaultState): Promise<string> => {
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  const states = await runningStates(notes)
  const [only = preferred, ...others] = states
  if (states.includes(preferred)) return preferred
  if (others.length === 0) return only
  throw new Stop(`Several services run. Name the state folder of one: --state <folder>\n${states.join('\n')}`)
}

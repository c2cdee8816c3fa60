import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type * as z from 'zod/mini'
import { replaceFileSync } from './replace-file.ts'

/** A value in memory and, if a path was given, in a JSON file. */
export interface StateFile<T> {
  readonly value: T
  /** Writes the value before it returns; the file is at every moment the old state or the new one, never half of one. */
  save(): void
}

/** Reads the state stored at `path`, or starts with `empty`; without a path the state is lost when the process ends. */
export function openStateFile<S extends z.ZodMiniType>(
  path: string | undefined,
  shape: S,
  empty: z.infer<S>,
): StateFile<z.infer<S>> {
  if (path === undefined) return { value: empty, save: () => {} }
  const value = readState(path, shape) ?? empty
  return {
    value,
    save() {
      mkdirSync(dirname(path), { recursive: true })
      // It contains keys and secrets: only the owner can read it.
      replaceFileSync(path, JSON.stringify(value, undefined, 2))
    },
  }
}

function readState<S extends z.ZodMiniType>(path: string, shape: S): z.infer<S> | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`The state file ${path} is corrupt; repair it, or delete it to start empty.`, { cause })
  }
}

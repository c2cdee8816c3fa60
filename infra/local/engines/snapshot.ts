import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { replaceFile } from './replace-file.ts'

export interface Snapshot {
  /** Has the state written within a tenth of a second; later where it is large, or the disk does not take it. */
  changed(): void
  /** Resolves when everything that changed is on disk; rejects with what the disk says. */
  close(): Promise<void>
}

const writeAfterMs = 50
/** Writing takes a twentieth of the time at most, however large the state has grown. */
const restFactor = 20
const retryAfterMs = 1_000

/** Reads a state file written by an earlier run; undefined when there is none. */
export async function loadState<Shape extends z.ZodMiniType>(
  file: string | undefined,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  const text = file === undefined ? undefined : await readIfThere(file)
  if (text === undefined) return undefined
  try {
    return z.parse(shape, JSON.parse(text))
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'not JSON' : 'not the state of this version'
    throw new Error(`The local state in ${file} is broken (${reason}): delete the file to start empty.`, {
      cause: error,
    })
  }
}

/** Keeps `take()` on disk, whole at every moment: written beside the file, then renamed over it. */
export function keepState(file: string | undefined, take: () => unknown): Snapshot {
  if (file === undefined) return { changed() {}, async close() {} }
  let timer: NodeJS.Timeout | undefined
  let restMs = writeAfterMs
  let written = Promise.resolve()
  const write = async () => {
    const startedAt = performance.now()
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, JSON.stringify(take()))
    restMs = Math.max(writeAfterMs, restFactor * (performance.now() - startedAt))
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const writing = written.then(write)
    // A write that failed keeps no later one from trying.
    written = writing.catch(() => {})
    return writing
  }
  const flushLater = (afterMs: number) => {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        console.error(`The local state ${file} could not be written, and is tried again: ${String(error)}`)
        flushLater(retryAfterMs)
      })
    }, afterMs)
  }
  return {
    changed: () => flushLater(restMs),
    async close() {
      await (timer === undefined ? written : flush())
    },
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'

export interface Snapshot {
  /** Has the state written within a tenth of a second. */
  changed(): void
  /** Resolves when everything that changed is on disk. */
  close(): Promise<void>
}

const writeAfterMs = 50

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
  let written = Promise.resolve()
  const write = async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.new`, JSON.stringify(take()))
    await rename(`${file}.new`, file)
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    written = written.then(write)
    return written
  }
  return {
    changed() {
      timer ??= setTimeout(flush, writeAfterMs)
    },
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

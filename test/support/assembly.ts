import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const cacheFolder = join(root, '.local', 'test')

/** What is made from the sources: templates of two deployments, and the files that routes serve unchanged. */
const parts = ['assembly', 'openai-assembly', 'files'] as const
export type Part = (typeof parts)[number]
export const isPart = (name: string): name is Part => parts.some((part) => part === name)

/** The files that a part is made of. The runner and the stand-ins change nothing in the templates. */
const sources = (): string[] => [
  ...['functions', 'shared', 'infra'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\/(?:infra\/local|node_modules)(?:\/|$)/.test(entry.parentPath))
      .map(({ parentPath, name }) => join(parentPath, name)),
  ),
  ...['cdk.json', 'package-lock.json'].map((name) => join(root, name)),
]

const stampOf = (): string => {
  const hash = createHash('sha256')
  for (const path of sources().sort()) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

let stamp: string | undefined

const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Makes a part in a folder, unless it is there. */
const make = async (folder: string, part: Part): Promise<void> => {
  const target = join(folder, part)
  if (exists(target)) return
  mkdirSync(folder, { recursive: true })
  // Under a temporary name until it is complete: another run may be building the same.
  const own = `${target}-${randomUUID()}`
  const script = join(import.meta.dirname, 'synthesize.ts')
  await promisify(execFile)(process.execPath, [script, part, own], { maxBuffer: 2 ** 26 })
  if (exists(target)) rmSync(own, { recursive: true })
  else renameSync(own, target)
}

/** Makes what was not made for the same sources; returns the folder that the parts are in, below their names. */
export const synthesizeOnce = async (...needed: readonly Part[]): Promise<string> => {
  stamp ??= stampOf()
  const folder = join(cacheFolder, stamp)
  await Promise.all((needed.length > 0 ? needed : (['assembly', 'files'] as const)).map((part) => make(folder, part)))
  const hourAgo = Date.now() - 3_600_000
  for (const name of readdirSync(cacheFolder)) {
    // Another run may remove it in the meantime.
    const madeAt = statSync(join(cacheFolder, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (name !== stamp && madeAt < hourAgo) rmSync(join(cacheFolder, name), { recursive: true, force: true })
  }
  return folder
}

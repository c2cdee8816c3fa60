import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const kept = join(root, '.local', 'test')
const sources = ['functions', 'shared', 'infra', 'cdk.json', 'package-lock.json']

const changedAt = (path: string): number => {
  const known = statSync(path)
  if (!known.isDirectory()) return known.mtimeMs
  // The runner and the stand-ins change nothing in the templates.
  const below = readdirSync(path).filter((name) => join(path, name) !== join(root, 'infra', 'local'))
  return Math.max(known.mtimeMs, ...below.map((name) => changedAt(join(path, name))))
}

const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Synthesizes the app without its code, unless that was done since the last change; answers its folder. */
export const synthesizeOnce = async (): Promise<string> => {
  const stamp = String(Math.floor(Math.max(...sources.map((path) => changedAt(join(root, path))))))
  const folder = join(kept, stamp)
  if (exists(folder)) return folder
  mkdirSync(kept, { recursive: true })
  // Under a name of its own until it is whole: another run may be at the same work.
  const own = join(kept, `${stamp}-${randomUUID()}`)
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'synthesize.ts'), own], { maxBuffer: 2 ** 26 })
  if (exists(folder)) rmSync(own, { recursive: true })
  else renameSync(own, folder)
  const hourAgo = Date.now() - 3_600_000
  for (const name of readdirSync(kept)) {
    // Another run may rename or remove it meanwhile.
    const madeAt = statSync(join(kept, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (name !== stamp && madeAt < hourAgo) rmSync(join(kept, name), { recursive: true, force: true })
  }
  return folder
}

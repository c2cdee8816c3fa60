import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { LayerName } from '../../../shared/resources.ts'
import { layerFolder } from './folder.ts'

const root = join(import.meta.dirname, '../../..')

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      integrity: z.optional(z.string()),
      dependencies: z._default(z.record(z.string(), z.string()), {}),
      optionalDependencies: z._default(z.record(z.string(), z.string()), {}),
    }),
  ),
})

const readLock = async (file: string) => z.parse(Lock, JSON.parse(await readFile(file, 'utf8'))).packages

type Packages = Awaited<ReturnType<typeof readLock>>

const at = (packages: Packages, name: string) => {
  const known = packages[`node_modules/${name}`]
  if (known === undefined) throw new Error(`package-lock.json knows no ${name}`)
  return known
}

/** Lambda's platform (infra, functions): binaries of other platforms are left out of a layer. */
const platform = { os: 'linux', cpu: 'arm64', libc: 'glibc' } as const
const isOurs = (name: string) => name.endsWith(`-${platform.os}-${platform.cpu}`)

/** A package and all that it needs, at the versions of our own lock file. */
const closure = (packages: Packages, name: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  const { dependencies, optionalDependencies } = at(packages, name)
  for (const needed of Object.keys(dependencies)) closure(packages, needed, seen)
  for (const binary of Object.keys(optionalDependencies).filter(isOurs)) closure(packages, binary, seen)
  return seen
}

const assertSame = (ours: Packages, installed: Packages, names: ReadonlySet<string>) => {
  const wrong = [...names].filter((name) => installed[`node_modules/${name}`]?.integrity !== at(ours, name).integrity)
  const more = Object.keys(installed).filter((path) => !names.has(path.slice('node_modules/'.length)))
  if (wrong.length + more.length === 0) return
  throw new Error(`the layer differs from package-lock.json: ${[...wrong, ...more].join(', ')}`)
}

/** Installs a library for Lambda's platform into a folder that becomes a layer; exactly the versions of our lock file. */
export const buildLayer = async (name: LayerName, folder = layerFolder(name)): Promise<void> => {
  const ours = await readLock(join(root, 'package-lock.json'))
  const names = closure(ours, name)
  const prefix = join(folder, 'nodejs')
  await rm(folder, { recursive: true, force: true })
  await mkdir(prefix, { recursive: true })
  // The binaries are installed automatically, with the versions that the library itself pins.
  const packages = [...names].filter((each) => !isOurs(each)).map((each) => `${each}@${at(ours, each).version}`)
  const target = Object.entries(platform).map(([key, value]) => `--${key}=${value}`)
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--prefix', prefix]
  await promisify(execFile)('npm', ['install', ...target, ...options, ...packages])
  // What npm notes of the packages that are really there.
  assertSame(ours, await readLock(join(prefix, 'node_modules', '.package-lock.json')), names)
}

if (import.meta.main) await buildLayer('sharp')

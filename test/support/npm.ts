import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Installs packages from the npm registry into a folder of their own below `.local/`, unless it is there; answers it. */
export const packagesFromNpm = async (name: string, versions: Readonly<Record<string, string>>): Promise<string> => {
  const exact = Object.entries(versions).map((pair) => pair.join('@'))
  const folder = join(root, '.local', [name, ...exact.map((one) => one.replaceAll('/', '-'))].join('-'))
  if (existsSync(join(folder, 'node_modules', name))) return folder
  await mkdir(folder, { recursive: true })
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quietly, ...exact])
  return folder
}

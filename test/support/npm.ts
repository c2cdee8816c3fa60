import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Installs packages from the npm registry into a separate folder below `.local/`, unless it exists; returns it. */
export const packagesFromNpm = async (versions: Readonly<Record<string, string>>): Promise<string> => {
  const exact = Object.entries(versions).map((pair) => pair.join('@'))
  const folder = join(root, '.local', `npm-${exact.map((name) => name.replaceAll('/', '-')).join('-')}`)
  const isThere = Object.keys(versions).every((name) => existsSync(join(folder, 'node_modules', name)))
  if (isThere) return folder
  await mkdir(folder, { recursive: true })
  // Peers are installed only where they are named.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, ...exact])
  return folder
}

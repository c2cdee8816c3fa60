import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/**
 * Installs a program from PyPI into a virtual environment of its own below `.local/`, unless it is there; answers its
 * path. Throws a sentence about what to install where there is no Python.
 */
export const programFromPyPi = async (name: string, version: string): Promise<string> => {
  const folder = join(root, '.local', `${name}-${version}`)
  const program = join(folder, 'bin', name)
  if (existsSync(program)) return program
  await run('python3', ['-m', 'venv', folder]).catch((error: unknown) => {
    throw new Error(`${name} needs Python 3 with venv: install python3 and python3-venv.`, { cause: error })
  })
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`])
  return program
}

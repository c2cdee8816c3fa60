import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A separate virtual environment below `.local/`; throws an error that says what to install if Python is missing. */
async function makeEnvironment(name: string): Promise<string> {
  const folder = join(root, '.local', name)
  await run('python3', ['-m', 'venv', folder]).catch((error: unknown) => {
    throw new Error(`${name} needs Python 3 with venv: install python3 and python3-venv.`, { cause: error })
  })
  return folder
}

const installProgram = async (name: string, version: string): Promise<string> => {
  const program = join(root, '.local', `${name}-${version}`, 'bin', name)
  if (existsSync(program)) return program
  const folder = await makeEnvironment(`${name}-${version}`)
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`])
  return program
}

const installed = new Map<string, Promise<string>>()

/** Installs a program from PyPI, unless it is there or on its way; returns its path. */
export const programFromPyPi = (name: string, version: string): Promise<string> => {
  const key = `${name}-${version}`
  const program = installed.get(key) ?? installProgram(name, version)
  installed.set(key, program)
  return program
}

/** Installs packages from PyPI together, unless they are there; returns the path of the Python that has them. */
export const pythonWith = async (name: string, packages: readonly string[]): Promise<string> => {
  const python = join(root, '.local', name, 'bin', 'python')
  const list = join(root, '.local', name, 'packages.txt')
  const requirements = `${packages.join('\n')}\n`
  if (existsSync(list) && readFileSync(list, 'utf8') === requirements) return python
  const folder = await makeEnvironment(name)
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages])
  writeFileSync(list, requirements)
  return python
}

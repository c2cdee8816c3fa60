import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** What a recipe of shared/README.md says, as data. */
export interface Recipe {
  /** The files that are new, with their text. */
  own: Readonly<Record<string, string>>
  /** For each file a regular expression, and what replaces its first match. */
  edits: Readonly<Record<string, readonly [original: string, replacement: string]>>
  /** Files that a command writes. */
  generated: readonly string[]
  commands: readonly (readonly string[])[]
  tests: readonly string[]
}

/** The result: the files that changed in addition to the new ones, and the checks that still fail. */
export interface Outcome {
  changed: string[]
  complaints: string[]
}

/** Without what the surrounding run of tests sets for itself. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|FULL$|NODE_ENV$|TEST$)/.test(name)))

const filesOf = async (): Promise<string[]> => {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', list, { cwd: root, maxBuffer: 2 ** 24 })
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

const textOf = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Runs a program of node_modules in a copy; returns what it printed, if it failed. */
const complaintsOf = async (copy: string, [program = '', ...args]: readonly string[], env = {}): Promise<string[]> => {
  const options = { cwd: copy, env: { ...environment(), NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 }
  try {
    await run(join(root, 'node_modules/.bin', program), args, options)
    return []
  } catch (error) {
    const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = Object(error)
    const lines = `${stdout}\n${stderr}`.split('\n')
    const named = lines.filter((line) => /error TS|^ *FAIL|Error: /.test(line)).map((line) => line.slice(0, 300))
    return named.length > 0 ? named : [`${program} ${args.join(' ')}: ${lines.slice(-20).join('\n')}`]
  }
}

/** Follows a recipe in a copy of the working tree. */
export const follow = async ({ own, edits, commands, tests }: Recipe): Promise<Outcome> => {
  const copy = mkdtempSync(join(tmpdir(), 'recipe-'))
  try {
    const files = await filesOf()
    for (const path of files) cpSync(join(root, path), join(copy, path))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [path, text] of Object.entries(own)) write(join(copy, path), text)
    for (const [path, [original, replacement]] of Object.entries(edits)) {
      const [before, expression] = [textOf(copy, path), new RegExp(original)]
      if (!expression.test(before)) throw new Error(`${path} has no longer: ${original}`)
      write(join(copy, path), before.replace(expression, replacement))
    }
    const complaints: string[] = []
    for (const command of [...commands, ['tsc', '--noEmit', '-p', '.']]) {
      complaints.push(...(await complaintsOf(copy, command, { RECORD_EXAMPLES: '1' })))
    }
    // Concurrently with the other files of the long suite, the templates alone take a minute.
    const patience = ['--hookTimeout', '240000', '--testTimeout', '240000']
    if (complaints.length === 0)
      complaints.push(...(await complaintsOf(copy, ['vitest', 'run', '--no-file-parallelism', ...patience, ...tests])))
    return { complaints, changed: files.filter((path) => textOf(copy, path) !== textOf(root, path)) }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

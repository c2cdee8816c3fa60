import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundleCli } from '../../infra/clients/cli/build.mjs'

export interface Ended {
  code: number | string
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
}

// Node cannot make a pseudo terminal; .ci/run installs Python.
export const hasPython = spawnSync('python3', ['--version']).status === 0

/** The command line as one file, in its own home directory. */
export const makeSocial = async (env: Record<string, string> = {}) => {
  const home = mkdtempSync(join(tmpdir(), 'social-home-'))
  const program = join(home, 'social.mjs')
  await bundleCli(program)
  // Nothing of this machine: no profile, no colors, a known time zone.
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'Europe/Berlin', ...env }
  const launch = (args: readonly string[], { env: more = {} }: RunOptions = {}) =>
    spawn(process.execPath, [program, ...args], { cwd: home, env: { ...environment, ...more } })
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const child = launch(args, options)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk))
    child.stdin.end(options.input ?? '')
    const [code, signal] = await once(child, 'close')
    return { code: code ?? signal, stdout, stderr }
  }
  /** Runs with `--json`, and returns the document; fails if anything else is on stdout. */
  const json = async (args: readonly string[], options: RunOptions = {}) => {
    const ended = await run([...args, '--json'], options)
    // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
    return { ...ended, data: JSON.parse(ended.stdout) as any }
  }
  /** A command in a terminal of 80 columns. */
  const inTerminal = (args: readonly string[], more: Record<string, string> = {}) => {
    const command = [join(import.meta.dirname, 'in_terminal.py'), process.execPath, program, ...args]
    const child = spawn('python3', command, { cwd: home, env: { ...process.env, ...environment, ...more } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk))
    const ended = once(child, 'close').then(([code]) => code as number)
    return {
      type: (text: string) => void child.stdin.write(text),
      raw: () => output,
      output: () => stripVTControlCharacters(output).replaceAll('\r', ''),
      ended,
    }
  }
  return {
    home,
    program,
    environment,
    launch,
    run,
    json,
    inTerminal,
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

export type Social = Awaited<ReturnType<typeof makeSocial>>

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { buildAction } from '../../../infra/commands/github-action.ts'

export interface StepOptions {
  inputs: Readonly<Record<string, string>>
  event?: unknown
  env?: Readonly<Record<string, string>>
}

/** How a step ended, read as the runner reads it. */
export interface Step {
  code: number
  /** The texts of the commands `::error::` and the like, by their names. */
  commands(name: string): string[]
  log: string
  outputs: Readonly<Record<string, string>>
  summary: string
}

/** The runner undoes this encoding of data (https://github.com/actions/toolkit, packages/core/src/command.ts, 2026-11-27). */
const decoded = (text: string) => text.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%')

/** The commands in a log. Between `::stop-commands::word` and `::word::` there are none. */
const commandsIn = (log: string): { name: string; text: string }[] => {
  let stopped: string | undefined
  return log.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, name = '', text = ''] = /^\s*::([\w-]+)[^:]*::(.*)$/.exec(line) ?? []
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined
      return []
    }
    if (name === 'stop-commands') stopped = text
    return name === '' ? [] : { name, text: decoded(text) }
  })
}

/** The outputs in a file of `name<<delimiter` blocks. */
const outputsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^(.+?)<<(ghadelimiter_\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  )

/** The built action, and a runner that executes steps with it as GitHub's does. */
export const makeRunner = async () => {
  const home = mkdtempSync(join(tmpdir(), 'runner-'))
  await buildAction(join(home, 'action'))
  const { inputs: declared, runs } = parse(readFileSync(join(home, 'action/action.yml'), 'utf8'))
  let steps = 0
  const run = async ({ inputs, event = {}, env = {} }: StepOptions): Promise<Step> => {
    steps += 1
    const file = (name: string, text: string) => {
      const path = join(home, `${steps}-${name}`)
      writeFileSync(path, text)
      return path
    }
    const files = {
      output: file('output', ''),
      summary: file('summary', ''),
      event: file('event.json', JSON.stringify(event)),
    }
    // The runner sets every declared input, with its default, and evaluates the expression of the token.
    const values = Object.entries<{ default?: string }>(declared).map(([name, input]) => [
      `INPUT_${name.toUpperCase()}`,
      inputs[name] ?? input.default?.replace(/\$\{\{.*\}\}/, 'ghs_of_the_job') ?? '',
    ])
    const child = spawn(process.execPath, [join(home, 'action', runs.main)], {
      cwd: home,
      env: {
        PATH: process.env['PATH'] ?? '',
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: 'http://127.0.0.1:1',
        GITHUB_EVENT_NAME: 'release',
        GITHUB_EVENT_PATH: files.event,
        GITHUB_OUTPUT: files.output,
        GITHUB_REPOSITORY: 'Codertocat/Hello-World',
        GITHUB_STEP_SUMMARY: files.summary,
        ...Object.fromEntries(values),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk))
    const [code] = await once(child, 'close')
    const commands = (name: string) => commandsIn(log).flatMap((each) => (each.name === name ? each.text : []))
    const [outputs, summary] = [outputsIn(readFileSync(files.output, 'utf8')), readFileSync(files.summary, 'utf8')]
    return { code, commands, log, outputs, summary }
  }
  return { run, remove: () => rmSync(home, { recursive: true }) }
}

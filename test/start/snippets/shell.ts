import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../processes.ts'

const root = join(import.meta.dirname, '../../..')

/** One call of curl in a snippet. */
export interface Call {
  args: string
  status: number
  body: string
}

export interface Shell {
  readonly folder: string
  /** Runs commands as if they were pasted; throws if one of them fails. */
  run(commands: string, withinMs: number): Promise<{ calls: Call[] }>
  /** All that was printed since the last commands began. */
  output(): string
  close(): void
}

/** Records the arguments and the response of curl; its output is unchanged. */
const notingCurl = `
curl() {
  local one; one="$(mktemp "$SNIPPET_CALLS/$(date +%s%N)-XXXXXX")"
  printf '%s' "$*" >"$one.args"
  command curl -D "$one.head" "$@" | tee "$one"
}
set -o pipefail
`

const scriptsOn = (state: string): string => {
  const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const onState = ['env', 'listen', 'operator'].filter((name) => manifest.scripts[name] !== undefined)
  const scripts = onState.map((name) => [name, `${manifest.scripts[name]} --state '${state}'`])
  return JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, ...Object.fromEntries(scripts) } })
}

/** The repository as a reader has it, whose scripts find the service on this state folder; what is written goes with it. */
const checkOut = (state: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'service-snippets-'))
  for (const name of readdirSync(root)) {
    if (!['package.json', 'dist-clients'].includes(name) && !name.startsWith('.'))
      symlinkSync(join(root, name), join(folder, name))
  }
  writeFileSync(join(folder, 'package.json'), scriptsOn(state))
  return folder
}

const callIn = (file: string): Call => {
  const head = existsSync(`${file}.head`) ? readFileSync(`${file}.head`, 'utf8') : ''
  // With a redirect that was followed, the last one counts.
  const statuses = [...head.matchAll(/^HTTP\/[\d.]+ (\d{3})/gm)]
  return {
    args: readFileSync(`${file}.args`, 'utf8'),
    status: Number(statuses.at(-1)?.[1] ?? 0),
    body: readFileSync(file, 'utf8'),
  }
}

/** A terminal in the repository: variables, functions, and background jobs last from one block to the next. */
export const openShell = (state: string): Shell => {
  const folder = checkOut(state)
  const calls = join(folder, '.calls')
  mkdirSync(calls)
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: folder,
      SNIPPET_CALLS: calls,
      NO_COLOR: '1',
      // Otherwise npm queries its registry for a newer version of itself.
      NO_UPDATE_NOTIFIER: '1',
    },
    detached: true,
  })
  let output = ''
  const note = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  child.stdin.write(notingCurl)
  let runs = 0
  return {
    folder,
    output: () => output,
    async run(commands, withinMs) {
      runs += 1
      const script = join(folder, `.block-${runs}.sh`)
      const mark = `end of block ${runs}:`
      writeFileSync(script, commands)
      output = ''
      const onError = `failed="line $LINENO ended with $?: $BASH_COMMAND"`
      child.stdin.write(
        `failed=; trap '${onError}' ERR; source '${script}' </dev/null; trap - ERR; echo "${mark}$failed;"\n`,
      )
      const [all, failed] = await until(
        `the commands end: ${commands}`,
        () => {
          if (child.exitCode !== null) throw new Error(`the shell ended with ${child.exitCode}: ${output}`)
          const end = new RegExp(`${mark}(.*);\n`).exec(output)
          return end ? [end[0], end[1]] : undefined
        },
        withinMs,
      ).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : error}\n${output}`)
      })
      output = output.replace(all ?? '', '')
      if (failed) throw new Error(`${failed}\n${output}`)
      const names = readdirSync(calls).filter((name) => name.endsWith('.args'))
      const made = names.sort().map((name) => callIn(join(calls, name.slice(0, -'.args'.length))))
      for (const name of readdirSync(calls)) rmSync(join(calls, name))
      return { calls: made }
    },
    close() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { type Caller, call } from '../../infra/local/demo/caller.ts'
import { build, buildServer } from '../../infra/local/start/build.ts'

const root = join(import.meta.dirname, '../..')

export const bootstrap = join(root, 'infra/commands/bootstrap.mjs')

/** A separate state folder; its unusual name also identifies our processes. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'service-state-'))

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export interface Running {
  child: ChildProcess
  /** All its output on both streams so far. */
  output(): string
  /** Its exit code; the signal's name where one ended it. */
  ended: Promise<number | string>
}

/** Runs a command in its own process group, as a terminal would. */
export const launch = (command: string, args: readonly string[], env: Record<string, string> = {}): Running =>
  run(command, args, { cwd: root, env: { ...process.env, ...env } })

const run = (command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Running => {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  const listen = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { child, output: () => output, ended }
}

/** Long enough to make bundles and templates on a busy machine. */
export const buildWithinMs = 240_000

/** Makes what every start needs, so that the time of it counts to no test. */
export const built = (): Promise<void> => build(() => {})

/** The same for `npm run serve`. */
export const builtServer = (): Promise<void> => buildServer(() => {})

/** `npm start` on a state folder, where no other program can be found: Node is all it needs. */
export const start = (folder: string, ...args: string[]): Running =>
  launch(process.execPath, [bootstrap, 'start', '--state', folder, ...args], { PATH: '/nowhere' })

/** `npm run serve` with these settings. Vite sets BASE_URL, which is one of them. */
export const serve = (settings: Record<string, string>, ...args: string[]): Running =>
  launch(process.execPath, ['infra/local/serve.ts', ...args], { BASE_URL: '', ...settings })

/** Writes the program of `npm run build:server` into a new folder, which only its owner can write to. */
export const packServer = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  await promisify(execFile)(process.execPath, ['infra/commands/server.ts', folder], { cwd: root })
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const file = join(folder, path)
    chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o444)
  }
  // Nobody may be unable to reach the one of this repository.
  copyFileSync(process.execPath, join(folder, 'node'), constants.COPYFILE_FICLONE)
  chmodSync(join(folder, 'node'), 0o555)
  return folder
}

/** `nobody`, whom every Linux has. */
export const nobody = 65_534

/** Runs that program as root would have a service manager do it: as a user without rights, and with these variables only. */
export const servePacked = (folder: string, settings: Record<string, string>): Running => {
  const drop = `process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody})`
  const program = `if (process.getuid() === 0) { ${drop} } require(${JSON.stringify(join(folder, 'serve.cjs'))})`
  return run(join(folder, 'node'), ['--max-semi-space-size=16', '-e', program], { cwd: '/', env: settings })
}

/** Waits until a service answers; throws what it printed if it ends before. */
export const untilServed = async ({ output, ended }: Running): Promise<void> => {
  const up = until('the service is up', () => (output().includes('The service is up') ? true : undefined))
  const end = ended.then((code) => {
    throw new Error(`It ended with ${code}: ${output()}`)
  })
  await Promise.race([up, end])
}

/** The owner of `npm run serve`, who opens the printed link, signs in, and creates a workspace. */
export const openWorkspace = async ({ output }: Running, baseUrl: string, email: string): Promise<Caller> => {
  const [, token] = /reset-password\?token=(\w+)/.exec(output()) ?? []
  const password = 'oven-rye-seven-42'
  await call({ baseUrl }, 'POST /api/auth/reset-password', z.unknown(), { token, newPassword: password })
  const login = { email, password }
  const session = await call({ baseUrl }, 'POST /api/auth/sign-in/email', z.object({ token: z.string() }), login)
  const person = { baseUrl, token: session.token }
  const body = { name: 'Bakery', timezone: 'UTC' }
  const { id } = await call(person, 'POST /api/workspaces', z.object({ id: z.string() }), body)
  return { ...person, workspaceId: id }
}

/** A signal to all of a group, as Ctrl-C is; its first process may be gone while others live. */
export const signalGroup = ({ child }: Running, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Waits for something that has to come about. */
export const until = async <T>(
  label: string,
  look: () => Promise<T | undefined> | T | undefined,
  withinMs = 45_000,
) => {
  for (const endAt = Date.now() + withinMs; Date.now() < endAt; await sleep(50)) {
    const value = await look()
    if (value !== undefined) return value
  }
  throw new Error(`not within ${withinMs} ms: ${label}`)
}

/** Processes whose command line names the folder: the bootstrap and the service, whoever their parents are. */
export const processesOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(folder))

export const untilNothingRuns = (folder: string): Promise<true> =>
  until('no process is left', () => (processesOf(folder).length === 0 ? true : undefined), 15_000)

export const ServiceFile = z.strictObject({
  baseUrl: z.url(),
  mediaUrl: z.url(),
  inboxUrl: z.url(),
  platformsUrl: z.url(),
  pushUrl: z.url(),
  user: z.strictObject({ email: z.email(), password: z.string() }),
  sessionToken: z.string(),
  pat: z.string(),
  workspaceId: z.string(),
  accounts: z.record(z.string(), z.string()),
})
export type ServiceFile = z.infer<typeof ServiceFile>

/** Long enough on a machine that runs the other tests of `.ci/run` at the same time. */
export const startsWithinMs = 180_000

/** The content of service.json, once it exists. */
export const untilUp = (folder: string, running: Running): Promise<ServiceFile> =>
  until(
    'service.json appears',
    () => {
      const { exitCode, signalCode } = running.child
      if (exitCode !== null || signalCode !== null) {
        throw new Error(`it ended with ${signalCode ?? exitCode}: ${running.output()}`)
      }
      const file = join(folder, 'service.json')
      return existsSync(file) ? ServiceFile.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
    },
    startsWithinMs,
  )

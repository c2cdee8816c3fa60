import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { join as joinThreads } from './steps.ts'
import { Seen } from './trace.ts'

/** A user who makes requests: a token, a session, their workspace, and an account on each of two platforms. */
const Author = z.object({
  pat: z.string(),
  sessionToken: z.string(),
  workspaceId: z.string(),
  accounts: z.object({ bluesky: z.string(), discord: z.string() }),
})
export type Author = z.infer<typeof Author>

const Ready = z.object({ url: z.string(), authors: z.array(Author), settings: z.string() })

/** A call that made a post on a platform: when it arrived there, and its body. */
export const Made = z.object({ atMs: z.number(), body: z.string() })
export type Made = z.infer<typeof Made>

/** As `npm start` runs the service, as `npm run serve` does, or as the first with DynamoDB Local. */
export const modes = ['start', 'serve', 'dynamodb-local'] as const
export type Mode = (typeof modes)[number]

/** As in infra/commands/bootstrap.mjs. */
const serveFlags = ['--max-semi-space-size=16']

export interface ChildOptions {
  mode: Mode
  workspaces?: number
  /** Where webhooks may go. */
  allowedOrigin?: string
}

/** What the kernel says of a process and of those it started: resident memory in MB, and processor time in ms. */
const readProc = (pid: number) => {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  // Behind the name, which may hold spaces: user and system time in hundredths of a second (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return { rssMb: Math.round(Number(kb) / 1024), cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 }
}

/** Starts the service in its own process, on a temporary folder that goes with it. */
export const startChild = async ({ mode, workspaces = 1, allowedOrigin = '' }: ChildOptions) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-load-'))
  const args = [folder, mode, String(workspaces), allowedOrigin]
  const trace = ['--import', join(import.meta.dirname, 'trace.ts')]
  const child = fork(join(import.meta.dirname, 'serve.ts'), args, {
    execArgv: [...process.execArgv, ...(mode === 'serve' ? serveFlags : []), ...trace],
  })
  const waiting = new Map<number, (answer: unknown) => void>()
  const exited = once(child, 'exit')
  child.on('message', (message) => {
    const { id, answer } = z.parse(z.object({ id: z.number(), answer: z.unknown() }), message)
    waiting.get(id)?.(answer)
  })
  const ready = new Promise<unknown>((resolve) => waiting.set(0, resolve))
  let lastId = 0
  const request = (question: string): Promise<unknown> => {
    lastId += 1
    child.send({ id: lastId, question })
    return new Promise((resolve) => waiting.set(lastId, resolve))
  }
  const close = async () => {
    if (child.connected) child.disconnect()
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const failed = exited.then(() => {
    throw new Error('the service ended before it was up')
  })
  const { url, authors, settings } = z.parse(Ready, await Promise.race([ready, failed]))
  const [author] = authors
  if (author === undefined) throw new Error('the service has no author')
  return {
    url,
    author,
    authors,
    settings,
    usage: () => readProc(child.pid ?? 0),
    trace: () => request('trace'),
    stopTrace: async () => joinThreads(z.parse(z.array(Seen), await request('stop-trace'))),
    made: async () => z.parse(z.array(Made), await request('made')),
    close,
  }
}

export type Child = Awaited<ReturnType<typeof startChild>>

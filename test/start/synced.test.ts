import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { type Caller, call } from '../../infra/local/demo/caller.ts'
import { uploadImage } from '../../infra/local/demo/upload.ts'
import { freePort } from '../net/free-port.ts'
import {
  buildWithinMs,
  builtServer,
  openWorkspace,
  type Running,
  serve,
  signalGroup,
  until,
  untilServed,
} from './processes.ts'

/** Without strace nothing can be seen, and a system can forbid to trace a process that is no child (ptrace(2)). */
const canTrace = (() => {
  const { pid } = spawn('sleep', ['1'])
  return spawnSync('strace', ['-qq', '-e', 'trace=none', '-p', String(pid)]).status === 0
})()

const folder = mkdtempSync(join(tmpdir(), 'synced-'))
const owner = 'ann@bakery.test'
let running: Running
let caller: Caller

beforeAll(async () => {
  if (!canTrace) return
  await builtServer()
  const port = await freePort()
  running = serve({
    OWNER: owner,
    PORT: String(port),
    STATE: join(folder, 'state'),
    KEY_FILE: join(folder, 'key'),
  })
  await untilServed(running)
  caller = await openWorkspace(running, `http://127.0.0.1:${port}`, owner)
}, buildWithinMs)
afterAll(() => {
  if (running) signalGroup(running, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The names of the files that a process writes to the disk while something runs, as the kernel sees it. */
const syncedDuring = async (run: () => Promise<unknown>): Promise<string> => {
  const trace = join(folder, 'trace')
  const attached = ['-f', '-y', '-qq', '-e', 'trace=fsync,fdatasync', '-o', trace, '-p', String(running.child.pid)]
  const strace = spawn('strace', attached, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void strace.kill())
  // It attaches before it prints anything; from then on, the process is traced by it.
  const tracer = () => /TracerPid:\t([1-9]\d*)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]
  await until('the process is traced', tracer)
  await run()
  const said = readFileSync(trace, 'utf8')
  strace.kill()
  return said
}

test.skipIf(!canTrace)('a draft is on the disk before its request is answered', async () => {
  const draft = () => call(caller, 'POST /api/drafts', z.unknown(), { content: 'Rye' })
  expect(await syncedDuring(draft)).toMatch(/f(?:data)?sync\(\d+<[^>]*table\.sqlite-wal>/)
})

test.skipIf(!canTrace)(
  'a file is on the disk, with its name in the folder, before its row says that it is there',
  async () => {
    const said = await syncedDuring(() => uploadImage(caller))
    expect(said).toMatch(/fsync\(\d+<[^>]*buckets\/[^>]*\.part>/)
    expect(said).toMatch(/fsync\(\d+<[^>]*\/buckets>/)
  },
)

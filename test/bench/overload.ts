import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { makeMix } from './overload/mix.ts'
import { Ready } from './overload/serve.ts'

/**
 * Sends mixed requests at a steady rate to the bundles as deployed, over an engine with its files on disk as `npm start`
 * has it, and prints for each route how many answers of each status there were, how long they took, and the memory of
 * the service. Arguments: requests a second, seconds, workspaces. Needs `npm run build`.
 */
const [perSecond = 30, seconds = 60, workspaces = 1] = process.argv.slice(2).map(Number)

/** Waits no longer than API Gateway does. */
const timeoutMs = 60_000

const rssMb = (pid: number): number => {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

interface Sample {
  route: string
  status: string
  tookMs: number
}

const percentile = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

const describe = (name: string, samples: readonly Sample[]): string => {
  const sorted = samples.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  const statuses = [...Map.groupBy(samples, ({ status }) => status)].map(([status, of]) => `${status}: ${of.length}`)
  return `${name.padEnd(34)} p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms; ${statuses.sort().join(', ')}`
}

const folder = await mkdtemp(join(tmpdir(), 'overload-'))
const child = fork(join(import.meta.dirname, 'overload/serve.ts'), [folder, String(workspaces)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const pid = child.pid ?? 0
const samples: Sample[] = []
let peakMb = 0
try {
  const ready = z.parse(Ready, await new Promise((resolve) => child.once('message', resolve)))
  const mix = makeMix(ready)
  const startRss = rssMb(pid)
  const ask = async () => {
    const { route, author, request } = mix.next()
    const startedAt = performance.now()
    const note = (status: string) => samples.push({ route, status, tookMs: performance.now() - startedAt })
    try {
      const answer = await fetch(request.url, { ...request, signal: AbortSignal.timeout(timeoutMs) })
      const body: unknown = await answer.json()
      note(
        answer.status === 503 && !answer.headers.has('Retry-After') ? '503 without Retry-After' : String(answer.status),
      )
      mix.learn(author, route, answer.status, body)
    } catch (error) {
      note(error instanceof Error ? error.name : String(error))
    }
  }
  const running = new Set<Promise<void>>()
  let deepest = 0
  const startedAt = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
    const one = ask().finally(() => running.delete(one))
    running.add(one)
    deepest = Math.max(deepest, running.size)
    if (n % perSecond === 0) peakMb = Math.max(peakMb, rssMb(pid))
    if (n % (perSecond * 30) === 0) {
      console.error(
        `${Math.round((performance.now() - startedAt) / 1000)} s: ${running.size} open, ${rssMb(pid)} MB, ${samples.filter(({ status }) => status >= '500').length} of 5xx`,
      )
    }
  }
  await Promise.all(running)
  const tookSeconds = (performance.now() - startedAt) / 1000
  console.log(`${samples.length} requests in ${tookSeconds.toFixed(0)} s, at most ${deepest} open at once`)
  for (const [route, of] of [...Map.groupBy(samples, ({ route }) => route)].sort()) console.log(describe(route, of))
  console.log(describe('all', samples))
  console.log(`memory of the service: ${startRss} MB at first, ${peakMb} MB at most, ${rssMb(pid)} MB in the end`)
} finally {
  child.disconnect()
  await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(undefined)))
  await rm(folder, { recursive: true, force: true })
}

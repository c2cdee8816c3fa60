import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { discordSeed } from '../../../infra/local/platforms/discord/seed.ts'
import { startPlatforms } from '../../../infra/local/platforms/start.ts'
import { systemClock } from '../../../infra/local/service.ts'
import { packagesFromNpm } from '../../support/npm.ts'
import { requestExpecting } from './ask.ts'
import { madeIn, type Publisher } from './due.ts'
import { metadata } from './requests.ts'

const versions = { bullmq: '6.7.0', ioredis: '6.0.0' }
export const peerName = `BullMQ ${versions.bullmq}`

/** As many concurrent requests as the service first accepts for two platforms. */
const concurrency = 100
const durability = ['--appendonly', 'yes', '--appendfsync', 'everysec']

const Counts = z.record(z.string(), z.number())
const Session = z.object({ accessJwt: z.string(), did: z.string() })

/** The program on PATH. */
const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

const signIn = async (origin: string) => {
  const { handle: identifier, appPassword: password } = blueskySeed.account
  const body = JSON.stringify({ identifier, password })
  const url = `${origin}/xrpc/com.atproto.server.createSession`
  const reply = await requestExpecting(200, {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return { origin, ...z.parse(Session, JSON.parse(reply)) }
}

/** The state of an append-only file is read in this time. */
const redisWithinMs = 10_000

/** The same jobs by BullMQ on Redis, which can be killed; undefined where there is no Redis. */
export const startPeer = async () => {
  const redisServer = findProgram('redis-server')
  if (redisServer === undefined) return undefined
  const library = await packagesFromNpm(versions)
  const folder = await mkdtemp(join(tmpdir(), 'bench-peer-'))
  const platforms = await startPlatforms({ clock: systemClock })
  const socket = join(folder, 'redis.sock')
  const { bluesky = '', discord = '' } = platforms.urls
  const settings = {
    folder: library,
    socket,
    concurrency,
    bluesky: await signIn(bluesky),
    discord: { origin: discord, channelId: metadata.discord.channelId, botToken: discordSeed.botToken },
  }
  const children = new Set<ChildProcess>()
  const track = (child: ChildProcess) => {
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  let worker: ChildProcess | undefined
  const request = async (question: string, given?: unknown): Promise<unknown> => {
    worker?.send({ question, given })
    return nextReply()
  }
  const nextReply = async (): Promise<unknown> => {
    if (worker === undefined) throw new Error('the worker does not run')
    const [message] = await once(worker, 'message')
    return z.parse(z.object({ answer: z.unknown() }), message).answer
  }
  const startRedis = async () => {
    await rm(socket, { force: true })
    const serverArguments = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--daemonize', 'no']
    track(spawn(redisServer, [...serverArguments, ...durability], { stdio: 'ignore' }))
    for (const endMs = Date.now() + redisWithinMs; !existsSync(socket); await sleep(5)) {
      if (Date.now() > endMs) throw new Error('redis-server does not listen')
    }
  }
  const start = async () => {
    await startRedis()
    worker = track(fork(join(import.meta.dirname, 'peer-program.mjs'), [JSON.stringify(settings)]))
    await nextReply()
  }
  /** Ends both processes concurrently and waits until both have exited. */
  const kill = async () => {
    const gone = [...children].map((child) => once(child, 'exit'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(gone)
  }
  const publisher: Publisher = {
    withinMs: (count) => 1_000 + count,
    schedule: async (jobs) => void (await request('add', jobs)),
    made: async () => madeIn(platforms),
  }
  await start()
  return {
    ...publisher,
    platforms,
    settings: `concurrency ${concurrency} in one process; Redis with ${durability.join(' ').replaceAll('--', '')}`,
    start,
    kill,
    /** How many jobs are in each state. */
    counts: async () => z.parse(Counts, await request('counts')),
    async close() {
      await kill()
      await platforms.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Peer = NonNullable<Awaited<ReturnType<typeof startPeer>>>

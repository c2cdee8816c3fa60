import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import * as z from 'zod/mini'
import { startService, systemClock } from '../../../infra/local/service.ts'
import { build, buildServer } from '../../../infra/local/start/build.ts'
import { localAssembly, serverFolder } from '../../../infra/local/start/options.ts'
import { readStacks } from '../../../infra/local/template/stack.ts'
import { drawBlueprint } from '../../../infra/local/template.ts'
import { startDynamoDb } from '../../support/dynamodb.ts'
import { makeSeed } from '../../support/seed.ts'
import { type Mode, modes } from './child.ts'
import { madeIn } from './due.ts'
import { channelName, Seen } from './trace.ts'

const plenty = { calls: 1_000_000, perSeconds: 60 }

/** The requests of the bench to the service's process; each is answered once. */
const Question = z.enum(['trace', 'stop-trace', 'made'])

const channel = new BroadcastChannel(channelName)
/** Each thread answers as soon as it receives a message. */
const timeoutMs = 500

const stopTrace = async (): Promise<Seen[]> => {
  const threads: Seen[] = []
  channel.onmessage = (message) => void threads.push(z.parse(z.object({ data: Seen }), message).data)
  channel.postMessage('stop')
  await sleep(timeoutMs)
  return threads
}

/** How much runs concurrently, and what is on disk before it is acknowledged. */
const settingsOf = (mode: Mode, assembly: string): string => {
  const { mappings } = drawBlueprint(readStacks(assembly))
  const mapping = mappings.find(({ queueName }) => queueName.endsWith('publish-bluesky'))
  const { pollers = 0, batchSize = 0, maxPollers = 0 } = mapping ?? {}
  const stored = {
    start: 'SQLite in WAL mode, synchronous = normal',
    serve: 'synchronous = full',
    'dynamodb-local': mode,
  }[mode]
  return `${pollers} batches of ${batchSize} on each platform at first, growing to ${maxPollers}; ${stored}`
}

/**
 * The service as `npm start` or `npm run serve` runs it, in its own process, with stand-ins for the platforms: the bundles,
 * real polling, its files in a folder. It ends with its parent's channel.
 */
const serve = async (folder: string, mode: Mode, workspaces: number, allowedOrigin: string) => {
  const logFile = join(folder, 'service.log')
  // The bundles write to the console as on Lambda.
  process.stdout.write = (chunk: string | Uint8Array) => {
    appendFileSync(logFile, chunk)
    return true
  }
  const isServer = mode === 'serve'
  await (isServer ? buildServer(() => {}) : build(() => {}))
  const assembly = isServer ? join(serverFolder, 'assembly') : localAssembly
  const dynamoDb = mode === 'dynamodb-local' ? await startDynamoDb({ folder: join(folder, 'dynamodb') }) : undefined
  const service = await startService({
    clock: systemClock,
    polling: 'real',
    ...(isServer ? { load: 'together', bundles: serverFolder, isDurable: true } : { load: 'bundle' }),
    assembly,
    ...(dynamoDb ? { table: { endpoint: dynamoDb.endpoint, accessKeyId: 'bench' } } : {}),
    folder,
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
    allowedOrigins: allowedOrigin === '' ? [] : [allowedOrigin],
  })
  const authors = []
  for (let n = 0; n < workspaces; n += 1) authors.push(await makeSeed(service.context))
  const answers: Record<z.infer<typeof Question>, () => unknown> = {
    trace: () => channel.postMessage('start'),
    'stop-trace': stopTrace,
    made: () => madeIn(service.platforms),
  }
  process.on('message', async (message) => {
    const { id, question } = z.parse(z.object({ id: z.number(), question: Question }), message)
    process.send?.({ id, answer: (await answers[question]()) ?? null })
  })
  process.once('disconnect', async () => {
    await service.close()
    await dynamoDb?.close()
    process.exit(0)
  })
  process.send?.({ id: 0, answer: { url: service.baseUrl, authors, settings: settingsOf(mode, assembly) } })
}

const [, , folder, mode, workspaces, allowedOrigin = ''] = process.argv
if (folder !== undefined) await serve(folder, z.parse(z.enum(modes), mode), Number(workspaces), allowedOrigin)

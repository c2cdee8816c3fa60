import { type Profiler, Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { client } from '../../functions/client.ts'
import { startService } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { minuteMs } from '../../shared/time.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { virtualClock } from '../support/clock.ts'
import { makeSeed } from '../support/seed.ts'

/**
 * The files of the product in which a function body runs while a plain post is scheduled, published on Bluesky, and its
 * webhook retried once. What every operation uses, and a reader knows after the first one, does not count.
 */
const known = ['db', 'aws', 'http', 'access', 'errors', 'text'].map((folder) => `shared/${folder}/`)

const root = join(import.meta.dirname, '../..')

const isCounted = (file: string) =>
  /^(shared|functions\/(api|workers))\//.test(file) && !known.some((folder) => file.startsWith(folder))

/** A function body that ran. What starts with the file is the module itself, which runs when it is loaded. */
const isBody = ({ startOffset, count }: Profiler.CoverageRange) => startOffset > 0 && count > 0

/** Returns the files that ran since the last call. */
const watchFiles = async () => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = async (): Promise<string[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.flatMap(({ ranges }) => ranges).some(isBody))
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter(isCounted)
  }
  await take()
  return take
}

const folder = await synthesizeOnce()
const clock = virtualClock(Date.UTC(2030, 0, 1, 12))
const service = await startService({
  clock,
  polling: 'manual',
  load: 'source',
  assembly: join(folder, 'assembly'),
  files: join(folder, 'files'),
  log: jsonLog(() => {}),
})
const { baseUrl, inbox } = service
const { workspaceId, pat, sessionToken, accounts } = await makeSeed(service.context)
const api = client({ baseUrl, workspaceId, token: pat })
const url = `${service.inboxUrl}/hooks/walk`
await client({ baseUrl, workspaceId, token: sessionToken }).webhooks.create({
  body: { name: 'walk', url, events: ['post.published'] },
})
await service.drain()
inbox.behaviors.add({ name: 'walk', times: 1, status: 503 })

const ensure = (condition: boolean, sentence: string) => {
  if (!condition) throw new Error(sentence)
}

const steps = {
  schedule: async () => {
    const scheduledAt = new Date(clock.now() + 20 * minuteMs).toISOString()
    await api.posts.schedule({ body: { socialAccountIds: [accounts.bluesky], content: 'A plain post', scheduledAt } })
  },
  publish: async () => {
    await service.pass(20 * minuteMs)
    ensure(service.platforms.published().length === 1, 'the post was not published')
    ensure(inbox.deliveries().length === 1, 'the webhook was not sent')
  },
  'webhook retry': async () => {
    await service.pass(2 * minuteMs)
    ensure(inbox.deliveries().length === 2, 'the webhook was not retried')
  },
}

const takeFiles = await watchFiles()
const all = new Set<string>()
for (const [name, run] of Object.entries(steps)) {
  await run()
  const files = (await takeFiles()).sort()
  for (const file of files) all.add(file)
  process.stdout.write(`${name}: ${files.length}\n${files.map((file) => `  ${file}\n`).join('')}`)
}
process.stdout.write(`in all: ${all.size}\n`)
await service.close()

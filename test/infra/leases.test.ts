import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import type { Item } from '../../shared/db/table.ts'
import { startOrigin } from '../media/imports/origin.ts'
import { type Kit, start } from '../support/start.ts'
import { heavyPixel, makeAsset, makeHook, makePost, minuteMs, phone, postBody } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { searchEverywhere } from '../support/world/search-walk.ts'
import { functionsOf, physical, type Resources, read, synthesize } from './synth.ts'

/** The leases of a worker: the type of the row, and the attribute with the time when the lease ends. */
const leasesOf: Readonly<Record<string, readonly string[]>> = {
  'deliver-webhook': ['Delivery.leaseUntilMs'],
  'drain-endpoint': ['EndpointHealth.leaseUntilMs', 'Delivery.leaseUntilMs', 'Notice.leaseUntilMs'],
  'import-media': ['MediaImport.leaseUntilMs'],
  'index-memories': ['MemoryIndex.leaseUntilMs'],
  'make-export': ['Export.leaseUntilMs'],
  notify: ['AlertTopic.leaseUntilMs', 'Push.leaseUntilMs'],
  'prepare-post': ['Post.prepareLeaseUntilMs'],
  'publish-post': [
    'FirstComment.leaseUntilMs',
    'LiveDeletion.leaseUntilMs',
    'LiveEdit.leaseUntilMs',
    'Post.leaseUntilMs',
  ],
  'replay-events': ['Replay.leaseUntilMs'],
  'run-ai-job': ['AiJob.leaseUntilMs'],
}

/** Workers whose steps may run twice at the same time. */
const withoutLease = ['make-preview', 'purge', 'relay-events', 'sync-billing']

const leasesIn = (row: Item): [string, unknown][] => [
  [`${row['type']}.leaseUntilMs`, row['leaseUntilMs']],
  [`${row['type']}.prepareLeaseUntilMs`, row['prepareLeaseUntilMs']],
]

const claims = ['UpdateItem', 'TransactWriteItems']
const workers = new Set(workerTable.map(({ name }) => name))

/** The lengths of all leases that workers wrote, in milliseconds, by their names. */
const lengths = new Map<string, number[]>()
const seen = new Set<string>()
let kit: Kit

const noteLeases = async () => {
  for (const row of await scanTable(kit)) {
    for (const [name, untilMs] of leasesIn(row)) {
      const lease = `${row['PK']} ${row['SK']} ${name} ${untilMs}`
      if (typeof untilMs !== 'number' || seen.has(lease)) continue
      seen.add(lease)
      lengths.set(name, [...(lengths.get(name) ?? []), untilMs - kit.clock.now()])
    }
  }
}

const observe: ObserveFunction = async (effect, run) => {
  const result = await run()
  // The clock stands still while something runs, so the length is what the claim wrote.
  if (workers.has(effect.functionName) && claims.includes(effect.action)) await noteLeases()
  return result
}

/** Work for every worker. */
const workEverywhere = async () => {
  const { api, sessionApi, service } = kit
  const hook = await makeHook(kit, 'hook', ['post.published', 'post.publish_failed'])
  await sessionApi.notifications.registerDevice({ body: phone() })
  await sessionApi.notifications.sendTest({ body: {} })
  const commented = { ...postBody(kit, 'Commented', 1_000), firstComment: { text: 'First' } }
  await api.posts.schedule({ body: commented })
  const { id: live } = await makePost(kit, 'Deleted at its platform', 1_000)
  await service.pass(5_000)
  await api.posts.delete({ params: { id: live }, query: { live: 'true' } })
  const onDiscord = { ...postBody(kit, 'Edited at its platform', 1_000), socialAccountIds: [kit.accounts.discord] }
  const [{ id: edited } = { id: '' }] = await api.posts.schedule({ body: onDiscord })
  await service.pass(5_000)
  await api.posts.update({ params: { id: edited }, query: { live: 'true' }, body: { content: 'Edited' } })
  const { id } = await makeAsset(kit, heavyPixel)
  await api.posts.schedule({ body: { ...postBody(kit, 'With an image', 10 * minuteMs), mediaUrls: [id] } })
  const { origin, close } = await startOrigin()
  const { scheduledAt: _, ...now } = postBody(kit, 'From an address')
  await api.posts.publishNow({ body: { ...now, mediaUrls: [`${origin}/loaf.png`] } })
  await service.pass(15 * minuteMs)
  await close()
  await sessionApi.webhooks.replay({
    params: { id: hook.id },
    body: { since: new Date(kit.clock.now() - 60 * minuteMs).toISOString(), scope: 'all' },
  })
  kit.inbox.behaviors.add({ name: 'hook', times: 20, status: 500 })
  for (let n = 0; n < 6; n += 1) await makePost(kit, `Fails at its receiver ${n}`, 1_000)
  await sessionApi.workspaces.export({ params: { id: kit.workspaceId } })
  await sessionApi.ai.createJob({ body: { prompt: 'A loaf', platforms: ['x'] } })
  await service.pass(60 * minuteMs, { tickMinutes: 5 })
  await searchEverywhere(kit)
}

const { app } = synthesize()
const QueueShape = z.object({ QueueName: z.string(), VisibilityTimeout: z.optional(z.number()) })
const visibilityMs = new Map(
  read(app, 'AWS::SQS::Queue', QueueShape).map(({ QueueName, VisibilityTimeout = 0 }) => [
    QueueName,
    VisibilityTimeout * 1000,
  ]),
)

const byQueues = workerTable.flatMap(({ name, worker: { definition } }) =>
  'queues' in definition ? [{ name, queues: definition.queues }] : [],
)

/** The template with another timeout of one worker. */
const withTimeout = (name: string, Timeout: number): Resources =>
  Object.fromEntries(
    Object.entries(app).map(([id, resource]) => {
      const isWorker =
        resource.Type === 'AWS::Lambda::Function' && resource.Properties['FunctionName'] === physical(name)
      return [id, isWorker ? { ...resource, Properties: { ...resource.Properties, Timeout } } : resource]
    }),
  )

/** What is wrong with the leases of a worker whose function is that of a template. */
const flawsOf = (name: string, template: Resources): string[] => {
  const { Timeout = Number.POSITIVE_INFINITY } = functionsOf(template).get(physical(name)) ?? {}
  const queues = byQueues.find((entry) => entry.name === name)?.queues ?? []
  const queueMs = Math.min(...queues.map((queue) => visibilityMs.get(physical(queue)) ?? 0))
  return (leasesOf[name] ?? []).flatMap((lease) => {
    const measured = lengths.get(lease) ?? []
    if (measured.length === 0) return [`${lease} was not taken`]
    const isShort = Math.min(...measured) <= Timeout * 1000
    const isLong = Math.max(...measured) >= queueMs
    return [...(isShort ? [`${lease} ends before ${name}`] : []), ...(isLong ? [`${lease} outlasts its message`] : [])]
  })
}

describe('the lease that a worker takes', () => {
  beforeAll(async () => {
    kit = await start({ observe, allowedOrigins: ['http://127.0.0.1:*'] })
    await workEverywhere()
  }, 120_000)
  afterAll(() => kit.close())

  test('is measured here for every worker, or it takes none', () => {
    expect(byQueues.map(({ name }) => name).sort()).toEqual([...Object.keys(leasesOf), ...withoutLease].sort())
  })

  test.each(Object.keys(leasesOf))('of %s ends after its function, and before its message is redelivered', (name) => {
    expect(flawsOf(name, app)).toEqual([])
  })

  test.each(
    Object.keys(leasesOf),
  )('of %s is too short for a longer timeout in the template, and no other is', (name) => {
    const shortest = Math.min(...(leasesOf[name] ?? []).flatMap((lease) => lengths.get(lease) ?? []))
    const longer = withTimeout(name, shortest / 1000)
    const red = Object.keys(leasesOf).filter((other) => flawsOf(other, longer).length > 0)
    expect(red).toEqual([name])
  })
})

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { call, read } from '../../infra/local/demo/caller.ts'
import {
  buildWithinMs,
  built,
  makeFolder,
  removeFolder,
  type ServiceFile,
  signalGroup,
  start,
  until,
  untilNothingRuns,
  untilUp,
} from './processes.ts'

const folder = makeFolder()
beforeAll(built, buildWithinMs)
const started: ReturnType<typeof start>[] = []
afterAll(async () => {
  for (const running of started) signalGroup(running, 'SIGKILL')
  await untilNothingRuns(folder)
  removeFolder(folder)
})

const begin = async () => {
  // A kill leaves it behind; whoever starts anew waits for a new one.
  rmSync(join(folder, 'service.json'), { force: true })
  const running = start(folder, '--no-demo')
  started.push(running)
  return { running, service: await untilUp(folder, running) }
}

const text = 'Written before the kill, out after it'
const Published = z.array(z.object({ platform: z.string(), text: z.string(), publishedAt: z.number() }))
const Deliveries = z.array(z.object({ rawBody: z.string(), verified: z.boolean() }))
const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ postId: z.optional(z.string()) }) })
const Channels = z.object({ channels: z.array(z.object({ id: z.string() })) })

const listPublished = async ({ platformsUrl }: ServiceFile) =>
  (await read(`${platformsUrl}/published`, Published)).filter((post) => post.text === text)

const listVerified = async ({ inboxUrl }: ServiceFile, type: string) =>
  (await read(`${inboxUrl}/deliveries`, Deliveries))
    .filter(({ verified }) => verified)
    .map(({ rawBody }) => Event.parse(JSON.parse(rawBody)))
    .filter((event) => event.type === type)

const schedule = async (service: ServiceFile, scheduledAtMs: number): Promise<string[]> => {
  const caller = { baseUrl: service.baseUrl, token: service.pat, workspaceId: service.workspaceId }
  const { channels } = await call(caller, 'GET /api/social-accounts/discord/channels', Channels)
  const posts = await call(caller, 'POST /api/posts/schedule', z.array(z.object({ id: z.string() })), {
    socialAccountIds: [service.accounts['bluesky'], service.accounts['discord']],
    content: text,
    scheduledAt: new Date(scheduledAtMs).toISOString(),
    metadata: { discord: { channelId: channels[0]?.id } },
  })
  return posts.map(({ id }) => id)
}

test('posts scheduled before kill -9 are published once after the next start, with webhooks', {
  timeout: 120_000,
}, async () => {
  const { running, service } = await begin()
  const scheduledAtMs = Date.now() + 15_000
  const early = await schedule(service, scheduledAtMs)
  await sleep(1_000)
  // Killed before anything but the transaction has surely happened.
  const late = await schedule(service, scheduledAtMs)
  signalGroup(running, 'SIGKILL')
  expect(await running.ended).toBe('SIGKILL')
  await untilNothingRuns(folder)
  expect(Date.now()).toBeLessThan(scheduledAtMs)

  const { service: again } = await begin()
  expect(again).toEqual(service)
  const ids = [...early, ...late]
  const events = await until('all events arrive', async () => {
    const deliveries = await listVerified(again, 'post.published')
    return ids.every((id) => deliveries.some(({ data }) => data.postId === id)) ? deliveries : undefined
  })
  // Delivered once or more, always as the same event.
  expect(new Set(events.map(({ id }) => id)).size).toBe(ids.length)
  const live = await listPublished(again)
  expect(live.map(({ platform }) => platform).sort()).toEqual(['bluesky', 'bluesky', 'discord', 'discord'])
  for (const { publishedAt } of live) expect(publishedAt).toBeGreaterThanOrEqual(scheduledAtMs)
})

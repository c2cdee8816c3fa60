import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { eventsOf, listen, type PlatformName, scheduleOn } from '../../journeys/author.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
/** What happens before and after the calls of the publisher to its table. */
let concurrentAct: { before?: string; after?: string; act(): Promise<void> | void } | undefined

const actOnce = async (name: 'before' | 'after', action: string) => {
  if (concurrentAct?.[name] !== action) return
  const { act } = concurrentAct
  concurrentAct = undefined
  await act()
}

beforeAll(async () => {
  kit = await start({
    async observe({ functionName, service, action }, run) {
      if (functionName !== 'publish-post' || service !== 'dynamodb') return run()
      await actOnce('before', action)
      const result = await run()
      await actOnce('after', action)
      return result
    },
  })
  await listen(kit)
})
afterAll(() => kit.close())

const shown = (id: string) => kit.api.posts.get({ params: { id } })
const attemptsOf = (id: string) => kit.api.posts.listAttempts({ params: { id } })

/** Schedules a post in five minutes and lets time pass. */
const played = async (platform: PlatformName, text: string, passMs = 6 * minuteMs) => {
  const { id, dueMs } = await scheduleOn(kit, platform, text, 5 * minuteMs)
  await kit.service.pass(passMs)
  return { id, dueMs }
}

test('a published post shows what its event says, and one attempt on time', async () => {
  const { id, dueMs } = await scheduleOn(kit, 'bluesky', 'all is well', 5 * minuteMs)
  const before = await shown(id)
  expect(before).toMatchObject({ publishedAt: null, platformPostId: null, failure: null, externalId: null, version: 2 })
  const nextAttemptAt = new Date(dueMs).toISOString()
  expect(await attemptsOf(id)).toEqual({ items: [], nextAttemptAt })
  await kit.service.pass(6 * minuteMs)
  const event = eventsOf(kit, id).find(({ type }) => type === 'post.published')
  const post = await shown(id)
  expect(post).toMatchObject({
    publishedAt: event?.data['publishedAt'],
    platformPostId: event?.data['platformPostId'],
    failure: null,
    version: 3,
  })
  expect(Date.parse(post.publishedAt ?? '')).toBeGreaterThanOrEqual(dueMs)
  const { items, nextAttemptAt: then } = await attemptsOf(id)
  expect(items).toEqual([
    {
      startedAt: expect.any(String),
      finishedAt: post.publishedAt,
      latenessMs: expect.any(Number),
      outcome: 'published',
      settledByLookup: false,
      retrySafe: null,
      failure: null,
      summary: expect.stringContaining('Published'),
    },
  ])
  expect(then).toBeNull()
  const [{ latenessMs = null, startedAt = '' } = {}] = items
  expect(Date.parse(startedAt ?? '')).toBe(dueMs + (latenessMs ?? Number.NaN))
  expect(latenessMs).toBeLessThan(1_000)
  expect((await kit.api.posts.list({ query: { limit: 1 } })).items[0]).toEqual(post)
})

test('metadata is returned unchanged', async () => {
  const { id } = await scheduleOn(kit, 'discord', 'with a channel', 60 * minuteMs)
  const { metadata } = await shown(id)
  expect(metadata).toEqual({ discord: { channelId: expect.any(String) } })
})

test('a temporary error is one attempt, with the request and the message of the platform; the next one publishes', async () => {
  const body = { error: 'UpstreamFailure', message: 'the relay is asleep' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'rate_limited' })
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const { id } = await played('bluesky', 'twice unlucky', 5 * minuteMs + 2_000)
  const waiting = await attemptsOf(id)
  expect(waiting.items).toMatchObject([
    {
      outcome: 'failed',
      retrySafe: true,
      settledByLookup: false,
      failure: {
        reason: 'rate_limited',
        httpStatus: 429,
        request: 'POST /xrpc/com.atproto.repo.putRecord',
      },
    },
  ])
  expect(Date.parse(waiting.nextAttemptAt ?? '')).toBeGreaterThan(kit.clock.now())
  await kit.service.pass(20 * minuteMs)
  const { items, nextAttemptAt } = await attemptsOf(id)
  expect(items.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  expect(items[1]?.failure).toMatchObject({
    reason: 'rejected',
    httpStatus: 400,
    platformCode: 'UpstreamFailure',
    platformMessage: 'the relay is asleep',
  })
  expect(nextAttemptAt).toBeNull()
  const post = await shown(id)
  expect(post.failure).toEqual({
    reason: 'rejected',
    message: post.error,
    retrySafe: true,
    platformCode: 'UpstreamFailure',
    platformMessage: 'the relay is asleep',
  })
  expect(post.error).toContain('the relay is asleep')
})

test('a lost response is one attempt: unknown at first, then settled by a lookup', async () => {
  kit.platforms.faults.add({ platform: 'discord', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const { id } = await played('discord', 'lost and found', 5 * minuteMs + 500)
  const [first, ...others] = (await attemptsOf(id)).items
  expect(others).toEqual([])
  expect(first).toMatchObject({ outcome: 'unknown', settledByLookup: false, retrySafe: false })
  expect(first?.failure?.reason).toBe('outcome_unknown')
  await kit.service.pass(10 * minuteMs)
  const settled = await attemptsOf(id)
  expect(settled.items).toMatchObject([
    { startedAt: first?.startedAt, outcome: 'published', settledByLookup: true, retrySafe: null, failure: null },
  ])
})

test('the row keeps the ten newest attempts', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'again and again', 5 * minuteMs)
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 20, fault: 'rate_limited' })
  await kit.service.pass(600 * minuteMs, { tickMinutes: 60 })
  const { items } = await attemptsOf(id)
  expect(items.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: 9 }, () => 'failed'), 'published'])
  // The first of the twenty was on time.
  expect(items[0]?.latenessMs).toBeGreaterThan(5_000)
})

test('a post of another workspace has no attempts', async () => {
  await expect(attemptsOf('01KAJ2K6C8E0G2J4M6P8S0V2X400')).rejects.toMatchObject({ status: 404 })
})

test('a post whose account is disconnected was not sent', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'nobody home', 5 * minuteMs)
  const [account] = (await kit.sessionApi.socialAccounts.list()).filter(({ providerId }) => providerId === 'bluesky')
  await kit.sessionApi.socialAccounts.disconnect({ params: { id: account?.id ?? '' } })
  await kit.service.pass(60 * minuteMs)
  const { items } = await attemptsOf(id)
  expect(new Set(items.map(({ outcome, retrySafe }) => `${outcome} ${retrySafe}`))).toEqual(new Set(['not_sent true']))
  for (const { startedAt, latenessMs } of items) expect([startedAt, latenessMs]).toEqual([null, null])
  expect(items.at(-1)?.failure).toMatchObject({ request: null, platformCode: null })
  expect((await shown(id)).failure).toMatchObject({ platformCode: null, retrySafe: true })
})

test('a publisher that is delayed between its claim and its call reports when the call began', async () => {
  const { id, dueMs } = await scheduleOn(kit, 'discord', 'held up', 5 * minuteMs)
  // It is claimed 200 ms before its time.
  concurrentAct = { after: 'UpdateItem', act: () => kit.clock.pass(3_200) }
  await kit.service.pass(6 * minuteMs)
  const { items } = await attemptsOf(id)
  const startedAt = new Date(dueMs + 3_000).toISOString()
  const summary = 'Published; the call began 3000 ms after the planned time.'
  expect(items).toMatchObject([{ outcome: 'published', startedAt, latenessMs: 3_000, summary }])
  const line = kit.logged.find((text) => text.includes('attempt ended') && text.includes(id)) ?? ''
  expect(JSON.parse(line)).toMatchObject({ startedAtMs: dueMs + 3_000, latenessMs: 3_000, PublishLatenessMs: 3_000 })
  const { platforms } = await kit.api.posts.getStatistics()
  expect(platforms.find(({ platform }) => platform === 'discord')?.lateness.maxMs).toBeGreaterThanOrEqual(3_000)
})

test('while the call is not known to have begun, the attempt has no start', async () => {
  const { id } = await scheduleOn(kit, 'discord', 'looked at in between', 5 * minuteMs)
  let seen: Awaited<ReturnType<typeof attemptsOf>> | undefined
  concurrentAct = {
    after: 'UpdateItem',
    async act() {
      seen = await attemptsOf(id)
    },
  }
  await kit.service.pass(6 * minuteMs)
  expect(seen?.items).toMatchObject([{ outcome: 'in_progress', startedAt: null, latenessMs: null }])
})

test('an account that is disconnected at the last moment leaves an attempt that was not sent', async () => {
  const { id } = await scheduleOn(kit, 'discord', 'cut off', 5 * minuteMs)
  const [account] = (await kit.sessionApi.socialAccounts.list()).filter(({ providerId }) => providerId === 'discord')
  const disconnect = async () => {
    await kit.sessionApi.socialAccounts.disconnect({ params: { id: account?.id ?? '' } })
  }
  // After what is read first, and before what is read at the moment of the call.
  concurrentAct = {
    after: 'BatchGetItem',
    act() {
      concurrentAct = { before: 'BatchGetItem', act: disconnect }
    },
  }
  await kit.service.pass(6 * minuteMs)
  const { items } = await attemptsOf(id)
  expect(items).toMatchObject([{ outcome: 'not_sent', startedAt: null, latenessMs: null, retrySafe: true }])
})

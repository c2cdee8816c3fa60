import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../shared/time.ts'
import { metaError } from '../platforms/meta-error.ts'
import { connectOn } from '../support/connect.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen } from './author.ts'
import { expectSound } from './invariants.ts'
import { makeTrouble } from './trouble.ts'
import { uploadPng } from './upload.ts'

const platforms = [
  {
    platform: 'bluesky',
    name: 'Bluesky',
    create: 'POST /xrpc/com.atproto.repo.putRecord',
    max: 300,
    unit: 'characters',
    refused: { error: 'InvalidRequest', message: 'a bad word' },
  },
  {
    platform: 'threads',
    name: 'Threads',
    create: 'POST /{user}/threads_publish',
    max: 500,
    unit: 'characters',
    refused: metaError(100, undefined, 'a bad word').body,
  },
  {
    platform: 'mastodon',
    name: 'Mastodon',
    create: 'POST /api/v1/statuses',
    max: 500,
    unit: 'characters',
    refused: { error: 'a bad word' },
  },
  {
    platform: 'nostr',
    name: 'Nostr',
    create: 'EVENT 1',
    max: 60_000,
    unit: 'bytes',
    refused: { refusal: 'invalid: a bad word' },
  },
] as const

describe.each(platforms)('a thread on $name', ({ platform, name, create, max, refused, unit }) => {
  const seam = makeTrouble()
  let kit: Kit
  let account: string

  beforeAll(async () => {
    kit = await start({ observe: seam.observe })
    await listen(kit)
    const connected = await kit.api.socialAccounts.list()
    account = connected.find(({ providerId }) => providerId === platform)?.id ?? (await connectOn(kit, platform))
  })
  afterAll(async () => {
    await expectSound(kit)
    await kit.close()
  })

  const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
  const schedule = (text: string, count: number) => {
    const tweets = Array.from({ length: count }, (_, n) => ({ content: `${text} ${n + 1}` }))
    return kit.api.posts.scheduleThread({
      body: { socialAccountId: account, tweets, scheduledAt: at(10 * minuteMs) },
    })
  }
  const live = (text: string) =>
    kit.platforms
      .published()
      .filter((post) => post.platform === platform && post.text.startsWith(`${text} `))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
  const shown = (ids: readonly string[]) => Promise.all(ids.map((id) => kit.api.posts.get({ params: { id } })))
  const statuses = async (ids: readonly string[]) => (await shown(ids)).map(({ status }) => status)

  /** Every post is live once, as a reply to the one before it. */
  const expectWhole = async (text: string, ids: readonly string[]) => {
    const whole = live(text)
    expect(whole.map((post) => post.text)).toEqual(ids.map((_, n) => `${text} ${n + 1}`))
    expect(whole.map(({ replyTo }) => replyTo)).toEqual([null, ...whole.slice(0, -1).map(({ url }) => url)])
    expect((await shown(ids)).map(({ publishedPostUrl }) => publishedPostUrl)).toEqual(whole.map(({ url }) => url))
  }
  const first = { platform, operation: 'create', times: 1, fault: 'slow', delayMs: 1 } as const

  test('is published on time, each post as a reply to the previous one, in one attempt each', async () => {
    const { used } = await kit.api.posts.xCapUsage()
    const picture = (await uploadPng(kit)).id
    const dueMs = kit.clock.now() + 10 * minuteMs
    const { postIds } = await kit.api.posts.scheduleThread({
      body: {
        socialAccountId: account,
        tweets: [
          { content: 'story 1' },
          { content: 'story 2', mediaUrls: [picture] },
          { content: 'story 3' },
          { content: 'story 4', mediaUrls: [picture, picture] },
        ],
        scheduledAt: new Date(dueMs).toISOString(),
      },
    })
    await kit.service.pass(12 * minuteMs)
    await expectWhole('story', postIds)
    const whole = live('story')
    expect(whole.map(({ media }) => media.length)).toEqual([0, 1, 0, 2])
    expect((whole[0]?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
    expect((whole[0]?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1_000)
    for (const id of postIds) {
      expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
      const { attempts } = (await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })) ?? {}
      expect(attempts).toMatchObject([{ outcome: 'published' }])
    }
    // The cap of X is about X.
    expect((await kit.api.posts.xCapUsage()).used).toBe(used)
  })

  test('the limits of the platform apply to each post', async () => {
    const check = (content: string) => {
      const body = { socialAccountId: account, tweets: [{ content: 'fine' }, { content }], scheduledAt: at(minuteMs) }
      return kit.api.posts.scheduleThread({ body })
    }
    await kit.api.posts.cancel({ params: { id: (await check('x'.repeat(max))).threadHeadPost.id } })
    await expect(check('x'.repeat(max + 1))).rejects.toMatchObject({
      status: 400,
      body: {
        field: 'tweets.1.content',
        issues: [{ code: 'content_length', message: `tweets.1: ${name}: ${max + 1}/${max} ${unit}.` }],
      },
    })
  })

  test('a post in the middle fails: what is live is reported, the rest is not sent, and reschedule continues there', async () => {
    const { postIds } = await schedule('broken', 4)
    kit.platforms.faults.add([
      first,
      { platform, operation: 'create', times: 1, fault: 'status', status: 400, body: refused },
    ])
    await kit.service.pass(12 * minuteMs)
    expect(await statuses(postIds)).toEqual(['published', 'failed', 'failed', 'failed'])
    const [one, second, third] = await shown(postIds)
    expect(second?.error).toBe(`1 of 4 tweets are live. ${name} rejected the post: a bad word`)
    expect(third).toMatchObject({ error: 'Not sent: tweet 2 of 4 failed.', reason: 'thread_broken', retrySafe: true })
    const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id: one?.id ?? '' })
    expect(eventsOf(kit, postIds[1] ?? '').at(-1)).toMatchObject({
      type: 'post.publish_failed',
      data: { publishedCount: 1, totalTweets: 4, tweetIds: [row?.platformPostId] },
    })
    const [head = ''] = postIds
    await kit.api.posts.reschedule({ params: { id: head }, body: { scheduledAt: at(5 * minuteMs) } })
    await kit.service.pass(7 * minuteMs)
    await expectWhole('broken', postIds)
  })

  test.each([
    ['landed', 'landed_then_reset'],
    ['did not land', 'reset_before'],
  ] as const)('a post in the middle that %s without a response: nothing is doubled, and the thread continues', async (text, fault) => {
    const { postIds } = await schedule(text, 3)
    kit.platforms.faults.add([first, { platform, operation: 'create', times: 1, fault }])
    await kit.service.pass(20 * minuteMs)
    expect(kit.platforms.faults.pending()).toEqual([])
    await expectWhole(text, postIds)
  })

  test.each([
    'before',
    'after',
  ] as const)('a worker that dies %s the call in the middle: nothing is doubled, and the thread continues', async (side) => {
    const { postIds } = await schedule(side, 3)
    let creates = 0
    seam.begin(async (effect, run) => {
      if (effect.service !== platform || effect.action !== create) return run()
      creates += 1
      if (creates !== 2) return run()
      if (side === 'after') await run()
      throw new Crash(`${side} the call`)
    })
    await kit.service.pass(30 * minuteMs)
    seam.end()
    // On Bluesky and Nostr our own key makes the repeat harmless.
    expect(creates).toBe(side === 'before' || ['bluesky', 'nostr'].includes(platform) ? 4 : 3)
    await expectWhole(side, postIds)
  })

  test('cancel of the first post withdraws the thread', async () => {
    const { postIds } = await schedule('withdrawn', 3)
    await kit.api.posts.cancel({ params: { id: postIds[0] ?? '' } })
    await kit.service.pass(12 * minuteMs)
    expect(await statuses(postIds)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(live('withdrawn')).toEqual([])
  })
})

describe('what a platform makes of a thread', () => {
  let kit: Kit
  beforeAll(async () => {
    kit = await start()
    await listen(kit)
  })
  afterAll(async () => {
    await expectSound(kit)
    await kit.close()
  })
  const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
  const shown = (ids: readonly string[]) => Promise.all(ids.map((id) => kit.api.posts.get({ params: { id } })))
  const Put = z.object({ record: z.looseObject({ reply: z.optional(z.unknown()), langs: z.optional(z.unknown()) }) })

  test('Bluesky gets the metadata with every post, and says what is wrong with them once', async () => {
    const tweets = [{ content: 'eins' }, { content: 'zwei' }]
    const body = { socialAccountId: kit.accounts.bluesky, tweets }
    await expect(
      kit.api.posts.publishThreadNow({ body: { ...body, metadata: { bluesky: { langs: [] } } } }),
    ).rejects.toMatchObject({
      status: 400,
      body: { issues: [{ code: 'metadata_invalid', field: 'metadata.bluesky.langs' }] },
    })
    await kit.api.posts.publishThreadNow({ body: { ...body, metadata: { bluesky: { langs: ['de'] } } } })
    await kit.service.drain()
    const puts = kit.platforms
      .calls()
      .filter(({ platform, operation }) => platform === 'bluesky' && operation === 'create')
    const records = puts.map(({ body: sent }) => z.parse(Put, JSON.parse(String(sent))).record)
    expect(records.map(({ langs, reply }) => [langs, reply !== undefined])).toEqual([
      [['de'], false],
      [['de'], true],
    ])
  })

  test('Threads fetches the media of a post only when the one before it is live', async () => {
    const account = await connectOn(kit, 'threads')
    const { id } = await uploadPng(kit)
    const tweets = [1, 2].map((n) => ({ content: `with media ${n}`, mediaUrls: [id] }))
    const dueMs = kit.clock.now() + 30 * minuteMs
    const { postIds } = await kit.api.posts.scheduleThread({
      body: { socialAccountId: account, tweets, scheduledAt: new Date(dueMs).toISOString() },
    })
    await kit.service.pass(32 * minuteMs, { tickMinutes: 1 })
    expect((await shown(postIds)).map(({ status }) => status)).toEqual(['published', 'published'])
    const made = kit.platforms
      .calls()
      .filter(({ platform, operation }) => platform === 'threads' && operation === 'upload')
    const [ahead, ...replies] = made.map(({ at: ms }) => ms < dueMs)
    expect(ahead).toBe(true)
    expect(replies).not.toContain(true)
  })

  test('a post that Threads does not show for minutes costs no try, and the thread waits', async () => {
    const account = await connectOn(kit, 'threads')
    const tweets = [1, 2, 3].map((n) => ({ content: `hidden ${n}` }))
    const { postIds } = await kit.api.posts.scheduleThread({
      body: { socialAccountId: account, tweets, scheduledAt: at(10 * minuteMs) },
    })
    await kit.service.pass(10 * minuteMs + 500)
    kit.platforms.faults.add([{ platform: 'threads', operation: 'upload', times: 9, ...metaError(24, 4279009) }])
    await kit.service.pass(10 * minuteMs)
    expect(kit.platforms.faults.pending()).toEqual([])
    expect((await shown(postIds)).map(({ status }) => status)).toEqual(['published', 'published', 'published'])
    const [, second] = await Promise.all(postIds.map((id) => posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })))
    expect(second?.attempts).toMatchObject([{ outcome: 'published' }])
  })

  test('a post that its author deletes on Threads breaks the thread in the end, and says why', async () => {
    const account = await connectOn(kit, 'threads')
    const tweets = [1, 2].map((n) => ({ content: `deleted ${n}` }))
    const { postIds } = await kit.api.posts.scheduleThread({
      body: { socialAccountId: account, tweets, scheduledAt: at(10 * minuteMs) },
    })
    await kit.service.pass(10 * minuteMs + 500)
    kit.platforms.faults.add([{ platform: 'threads', operation: 'upload', times: 1_000, ...metaError(24, 4279009) }])
    await kit.service.pass(60 * minuteMs, { tickMinutes: 1 })
    kit.platforms.faults.clear()
    expect((await shown(postIds))[1]).toMatchObject({
      status: 'failed',
      reason: 'platform_unavailable',
      retrySafe: true,
      error: expect.stringMatching(
        /^1 of 2 tweets are live\. Threads does not show the post that this one replies to\. Tried until \d+ minutes after its time\.$/,
      ),
    })
  })
})

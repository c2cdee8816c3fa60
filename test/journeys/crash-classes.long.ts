import { expect, test } from 'vitest'
import { ApiError } from '../../functions/client.ts'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import type { Kit } from '../support/start.ts'
import { eventsOf } from './author.ts'
import { beginDying, dieAfterEach } from './deaths.ts'
import { uploadPng } from './upload.ts'
import { uploadVideo } from './upload-video.ts'

const functions = new Set(['posts-schedule', 'posts-schedule-thread', 'prepare-post', 'publish-post'])

/** As a client must: a request that broke off is sent again with the same key. */
const untilAnswered = <T>(attempt: () => Promise<T>): Promise<T> =>
  attempt().catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 500) return attempt()
    throw error
  })

const liveOn = (kit: Kit, platform: PlatformId, text: string) =>
  kit.platforms.published().filter((post) => post.platform === platform && post.text.includes(`${text};`))

/** Every post is published, its live post exists once, and its author got two events. */
const expectOut = async (kit: Kit, platform: PlatformId, text: string, ids: readonly string[]) => {
  for (const id of ids) {
    const { status, error } = await kit.api.posts.get({ params: { id } })
    expect({ text, status, error }).toEqual({ text, status: 'published', error: null })
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
  }
  expect({ text, live: liveOn(kit, platform, text).length }).toEqual({ text, live: ids.length })
}

/** A lease, two settle windows and the sweeper's steps. */
const passThrough = async (kit: Kit) => {
  await kit.service.pass(4 * minuteMs, { tickMinutes: 4 })
  await kit.service.pass(20 * minuteMs, { tickMinutes: 7 })
}

/** A connected account of a platform for one kind of post. */
interface Kind {
  platform: PlatformId
  draft(text: string): { content: string; metadata?: Record<string, unknown> }
  upload(kit: Kit): Promise<{ id: string }>
  effects: number
}

const kinds: Readonly<Record<string, Kind>> = {
  'a refused repeat: X': { platform: 'x', draft: (text) => ({ content: text }), upload: uploadPng, effects: 10 },
  'two phases: Threads': { platform: 'threads', draft: (text) => ({ content: text }), upload: uploadPng, effects: 8 },
  'a probe: Pinterest': {
    platform: 'pinterest',
    draft(text) {
      const boardId = pinterestSeed.boards[0].id
      return { content: '', metadata: { pinterest: { boardId, title: 'Death', description: text } } }
    },
    upload: uploadPng,
    effects: 5,
  },
  'a film with processing: TikTok': {
    platform: 'tiktok',
    draft: (text) => ({ content: text, metadata: { tiktok: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } }),
    upload: uploadVideo,
    effects: 6,
  },
}

test.each(Object.entries(kinds))(
  '%s: a crash after any effect loses and duplicates nothing',
  async (_, kind) => {
    const { kit, seam } = await beginDying(functions)
    const { id: file } = await kind.upload(kit)
    const effects = await dieAfterEach(kit, seam, async (name) => {
      // With a fresh token: where a refresh token works once, a death right after its use ends the connection.
      const account = await connectOn(kit, kind.platform)
      const text = `${name};`
      const scheduledAt = new Date(kit.clock.now() + 3 * minuteMs).toISOString()
      const body = { socialAccountIds: [account], scheduledAt, mediaUrls: [file], ...kind.draft(text) }
      const [{ id = '' } = {}] = await untilAnswered(() => kit.api.posts.schedule({ body, idempotencyKey: name }))
      await passThrough(kit)
      await expectOut(kit, kind.platform, name, [id])
    })
    console.log(`${effects.length} deaths:\n${effects.join('\n')}`)
    expect(effects.length).toBeGreaterThanOrEqual(kind.effects)
  },
  240_000,
)

const threadPlatforms: readonly PlatformId[] = ['x', 'bluesky', 'threads']

test.each(
  threadPlatforms,
)('a thread of five on %s: a crash after any effect loses and duplicates no tweet', async (platform) => {
  const { kit, seam } = await beginDying(functions)
  const { id: file } = await uploadPng(kit)
  const effects = await dieAfterEach(kit, seam, async (name) => {
    // With tokens that last: X takes a refresh token once, so a death before the new one is stored ends the connection.
    const account = platform === 'bluesky' ? kit.accounts.bluesky : await connectOn(kit, platform)
    const contents = Array.from({ length: 5 }, (_, n) => ({ content: `${name}; ${n + 1}` }))
    const tweets = contents.map((tweet, n) => (n === 2 ? { ...tweet, mediaUrls: [file] } : tweet))
    const scheduledAt = new Date(kit.clock.now() + 3 * minuteMs).toISOString()
    const body = { socialAccountId: account, tweets, scheduledAt }
    const { postIds } = await untilAnswered(() => kit.api.posts.scheduleThread({ body, idempotencyKey: name }))
    await passThrough(kit)
    await expectOut(kit, platform, name, postIds)
    const whole = liveOn(kit, platform, name).sort((a, b) => (a.text < b.text ? -1 : 1))
    expect(whole.map(({ replyTo }) => replyTo)).toEqual([null, ...whole.slice(0, 4).map(({ url }) => url)])
  })
  console.log(`${effects.length} deaths:\n${effects.join('\n')}`)
  expect(effects.length).toBeGreaterThanOrEqual(20)
}, 240_000)

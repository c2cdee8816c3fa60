import { afterAll, beforeEach, expect, test } from 'vitest'
import { discordSeed } from '../../infra/local/platforms/discord.ts'
import { facebookSeed } from '../../infra/local/platforms/facebook.ts'
import { instagramSeed } from '../../infra/local/platforms/instagram.ts'
import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { mastodonSeed } from '../../infra/local/platforms/mastodon.ts'
import { redditSeed } from '../../infra/local/platforms/reddit.ts'
import { threadsSeed } from '../../infra/local/platforms/threads.ts'
import { xSeed } from '../../infra/local/platforms/x/seed.ts'
import { youtubeSeed } from '../../infra/local/platforms/youtube.ts'
import type { Context } from '../../shared/context.ts'
import type { PlatformCall, PreparedRef, ProbeResult } from '../../shared/platforms/adapter.ts'
import { adapterOf, clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connectorOf } from '../../shared/platforms/connectors.ts'
import type { BrowserPlatform } from '../../shared/platforms/definitions.ts'
import { PlatformError } from '../../shared/platforms/platform-error.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { film, jpeg } from '../media/files.ts'
import { codeVerifier, letIn, redirectUri } from './arrive.ts'
import { letInAt } from './mastodon-visit.ts'
import { boardId } from './pinterest-visit.ts'
import { accountOf, startSite } from './site.ts'

const site = await startSite()
const { platforms } = site
beforeEach(() => platforms.reset())
afterAll(() => site.close())

/** A platform whose probe reads a list. */
interface Lister {
  id: BrowserPlatform
  /** Where others post, as the stand-in knows it. */
  destination: string
  post(): Promise<Partial<OutgoingPost>>
  /** Most others that a probe looks past. */
  bound: number
  /** The scopes that a login must grant, if not the requested ones. */
  scope?: string
  /** What the stand-in calls the list. */
  list?: string
  /** Trouble that makes the probe read the list at all. */
  fault?: { operation: string; status: number }
}

const text = async () => ({ text: 'Ours alone' })
const channelId = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''
const withPages = 'openid profile w_member_social w_organization_social r_organization_social rw_organization_admin'

const listers: readonly Lister[] = [
  { id: 'x', destination: xSeed.people[0].id, post: text, bound: 1000, list: 'timeline' },
  {
    id: 'linkedin',
    destination: `urn:li:organization:${linkedinSeed.ada.pages[0].id}`,
    post: text,
    bound: 1000,
    scope: withPages,
  },
  { id: 'facebook', destination: facebookSeed.pages[0].id, post: text, bound: 1000 },
  {
    id: 'pinterest',
    destination: boardId,
    post: async () => ({
      text: 'Ours alone',
      metadata: { boardId, title: 'T', description: 'Ours alone' },
      media: [await site.file()],
    }),
    bound: 500,
  },
  {
    id: 'reddit',
    destination: redditSeed.people[0].name,
    post: async () => ({ metadata: { subreddit: 'test', title: 'Ours alone', kind: 'self' } }),
    bound: 900,
  },
  { id: 'mastodon', destination: mastodonSeed.people[0].id, post: text, bound: 400 },
  { id: 'slack', destination: 'C0DEMO001', post: async () => ({ metadata: { channelId: 'C0DEMO001' } }), bound: 300 },
  { id: 'discord', destination: channelId, post: async () => ({ metadata: { channelId } }), bound: 1000 },
  {
    id: 'youtube',
    destination: youtubeSeed.demo.channel?.id ?? '',
    post: async () => ({
      text: 'Ours alone',
      media: [await site.file({ mimeType: 'video/mp4', originalFilename: 'clip.mp4' }, film('isom', 'mp42'))],
    }),
    bound: 500,
    // Only where the session is gone the uploads are looked through.
    fault: { operation: 'status', status: 404 },
  },
]

const account = async (ctx: Context, { id, scope }: Pick<Lister, 'id' | 'scope'>) => {
  if (id === 'discord') return accountOf({ externalId: discordSeed.guild.id, credentials: {}, details: {} })
  if (id === 'mastodon') return letInAt(platforms.urls[id] ?? '')
  const connector = connectorOf(id)
  const { code } = await letIn(ctx, connector, undefined, scope === undefined ? {} : { scope })
  const connected = await connector.connect(ctx, { code, redirectUri, codeVerifier })
  const connection = scope === undefined ? connected[0] : connected[1]
  if (connection === undefined) throw new Error('nothing was connected')
  const { externalId, credentials, details, username } = connection
  return { ...accountOf({ externalId, credentials, details }), username }
}

const ready = async ({ id }: Pick<Lister, 'id'>, call: PlatformCall): Promise<PreparedRef> => {
  let resume: PreparedRef | undefined
  for (let step = 0; step < 60; step += 1) {
    const done = await adapterOf(id).prepare?.(call, resume)
    if (!done || 'ready' in done) return done?.ready ?? {}
    site.pass(done.waitSeconds * 1000)
    resume = JSON.parse(JSON.stringify(done.resume))
  }
  throw new Error('it is never ready')
}

/** An older post, then an attempt that lands or does not, then others. */
const begin = async (lister: Lister, lands: boolean, others: number) => {
  const platform = adapterOf(lister.id)
  const ctx = site.ctx()
  platforms.crowd(lister.id, lister.destination, 1)
  site.pass(3_600_000)
  const call = { ctx, account: await account(ctx, lister), post: site.post(await lister.post()) }
  const ref = await ready(lister, call)
  const attempt = { clientKey: clientKeyOf(platform, call.post), ref, startedAtMs: site.now() }
  if (lands) await platform.commit(call, ref, attempt.clientKey, await platform.build?.(call, ref))
  site.pass(1_000)
  if (others > 0) platforms.crowd(lister.id, lister.destination, others)
  site.pass(15 * 60_000)
  const probe = async (over: Partial<PlatformCall> = {}): Promise<ProbeResult['kind']> => {
    const { fault } = lister
    if (fault) platforms.faults.add({ platform: lister.id, times: 1, fault: 'status', ...fault })
    try {
      return (await platform.probe({ ...call, ...over }, attempt)).kind
    } catch (error) {
      // As `shared/posts/publishing/probe.ts` reads it.
      if (error instanceof PlatformError) return 'unclear'
      throw error
    }
  }
  return { call, probe }
}

const cases = listers.flatMap((lister) => [0, 1, 12, 99, 200].map((others) => [lister.id, others, lister] as const))

test.each(
  cases,
)('%s, %i other posts since: what landed is found, what did not is absent', async (_, others, lister) => {
  const { probe } = await begin(lister, true, others)
  expect(await probe()).toBe('published')
  platforms.reset()
  expect(await (await begin(lister, false, others)).probe()).toBe('absent')
})

const each = listers.map((lister) => [lister.id, lister] as const)

test.each(each)('%s: more newer posts than are read leave the outcome unclear', async (_, lister) => {
  const { probe } = await begin(lister, true, lister.bound + 1)
  expect(await probe()).toBe('unclear')
})

test.each(
  each,
)('%s, with pages shorter than requested: a landed post is found, a missing one is absent', async (_, lister) => {
  const { probe } = await begin(lister, true, 20)
  platforms.shortenPages(3)
  expect(await probe()).toBe('published')
  platforms.reset()
  const lost = await begin(lister, false, 20)
  platforms.shortenPages(3)
  expect(await lost.probe()).toBe('absent')
})

/** Whatever a list says of time. */
const times = ['created_at', 'createdAt', 'created_time', 'timestamp', 'created_utc', 'publishedAt', 'ts']

/** Removes the times from an answer; ids of X contain none. */
const withoutTimes = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(withoutTimes)
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).filter(([name]) => !times.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutTimes(value)]))
}

test.each(each)('%s: a published post is never absent in a broken list or one without times', async (id, lister) => {
  const { call, probe } = await begin(lister, true, 12)
  for (const fault of ['html_503', 'wrong_json', 'truncated_json', 'reset_after'] as const) {
    platforms.faults.add({ platform: id, operation: lister.list ?? 'read', times: 1, fault })
    expect(await probe()).toBe('unclear')
    platforms.faults.clear()
  }
  const observe: Context['observe'] = async (effect, run) => {
    const answer = await run()
    const isAnswer = typeof answer === 'object' && answer !== null && 'body' in answer
    if (effect.service !== id || !isAnswer || !(answer.body instanceof Uint8Array)) return answer
    const body = JSON.stringify(withoutTimes(JSON.parse(Buffer.from(answer.body).toString())))
    return { ...answer, body: Buffer.from(body) }
  }
  const kind = await probe({ ctx: { ...call.ctx, observe } })
  // Ids of X contain the time as well.
  expect(kind).toBe(id === 'x' ? 'published' : 'unclear')
})

const containers: readonly Lister[] = [
  { id: 'threads', destination: threadsSeed.people[0].id, post: text, bound: 90 },
  {
    id: 'instagram',
    destination: instagramSeed.people[0].id,
    post: async () => {
      const media = [await site.file({ mimeType: 'image/jpeg' }, jpeg(800, 800))]
      return { text: 'Ours alone', metadata: { format: 'feed_image' }, media }
    },
    bound: 90,
  },
]

test.each(
  containers.flatMap((lister) => [0, 1, 12, 99, 200].map((others) => [lister.id, others, lister] as const)),
)('%s, %i other posts since: the container shows whether it was published', async (_, others, lister) => {
  const { probe } = await begin(lister, true, others)
  expect(await probe()).toBe('published')
  platforms.reset()
  expect(await (await begin(lister, false, others)).probe()).toBe('absent')
})

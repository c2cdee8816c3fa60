import type { PlatformId } from '../../shared/resources.ts'
import type { Call } from '../support/world/ask.ts'
import type { Check } from './check.ts'
import { empty, is, object } from './shape.ts'
import type { World } from './world.ts'

/** A good post on a platform: its text, the block it needs, and the types of its files. */
export interface Good {
  platform: PlatformId
  content?: string
  metadata?: Readonly<Record<string, unknown>>
  files?: readonly string[]
  /** Replaces the account of the platform. */
  premium?: boolean
}

const [jpeg, mp4] = ['image/jpeg', 'video/mp4']

export const good = {
  x: { platform: 'x' },
  bluesky: { platform: 'bluesky' },
  threads: { platform: 'threads' },
  linkedin: { platform: 'linkedin' },
  instagram: { platform: 'instagram', metadata: { format: 'feed_image' }, files: [jpeg] },
  tiktok: { platform: 'tiktok', metadata: { privacyLevel: 'SELF_ONLY' }, files: [mp4] },
  facebook: { platform: 'facebook' },
  pinterest: {
    platform: 'pinterest',
    metadata: { boardId: '123456789', title: 'A loaf', description: 'On a board' },
    files: [jpeg],
  },
  youtube: { platform: 'youtube', files: [mp4] },
  reddit: { platform: 'reddit', metadata: { subreddit: 'test', title: 'A title', kind: 'self' } },
  discord: { platform: 'discord', metadata: { channelId: '1300000000000000101' } },
  slack: { platform: 'slack', metadata: { channelId: 'C0123456789' } },
} satisfies Partial<Record<PlatformId, Good>>

/** The body of a post, for validate, schedule and publish-now. */
export const bodyOf = async (world: World, post: Good) => ({
  socialAccountIds: [post.premium ? world.premiumX : world.accounts[post.platform]],
  content: post.content ?? 'Fresh bread',
  ...(post.metadata ? { metadata: { [post.platform]: post.metadata } } : {}),
  ...(post.files ? { mediaUrls: await Promise.all(post.files.map((type, n) => world.file(type, n))) } : {}),
})

const valid = object({ valid: is(true), issues: empty })

const validIssues = (platform: string, code?: string) => ({
  also: ({ body }: { body: Readonly<Record<string, unknown>> | undefined }) => {
    const { valid, issues } = (body?.['data'] ?? {}) as { valid?: boolean; issues?: Record<string, unknown>[] }
    if (valid !== false || !issues?.length) return [`is valid: ${JSON.stringify(body)}`]
    return issues.flatMap((issue) => [
      ...(issue['platform'] === platform ? [] : [`the issue is about ${issue['platform']}`]),
      ...(typeof issue['message'] === 'string' && typeof issue['code'] === 'string' ? [] : ['no code and message']),
      ...(code === undefined || issue['code'] === code ? [] : [`the code is ${issue['code']}, not ${code}`]),
    ])
  },
})

const total = async (world: World) => (await world.kit.api.posts.list({ query: { limit: 1 } })).total

/** A post that validate finds valid and schedule and publish-now take, and the other way round. */
export const accepted = (title: string, post: Good): Check[] => [
  { route: 'POST /api/posts/validate', title: `${post.platform} accepts ${title}`, call: call(post), also: noIssues },
  {
    route: 'POST /api/posts/schedule',
    title: `${post.platform} accepts ${title}`,
    call: async (world) => ({ body: { ...(await bodyOf(world, post)), scheduledAt: world.at(3_600_000) } }),
  },
]

const noIssues: NonNullable<Check['also']> = ({ body }) => valid.faults(body?.['data'], 'data')

const call =
  (post: Good) =>
  async (world: World): Promise<Call> => ({ body: await bodyOf(world, post) })

const counts = new WeakMap<World, number>()

/** A post that validate finds an issue in, and that schedule and publish-now refuse, writing nothing. */
export const rejected = (title: string, post: Good, code?: string): Check[] => [
  {
    route: 'POST /api/posts/validate',
    title: `${post.platform} rejects ${title}`,
    call: call(post),
    ...validIssues(post.platform, code),
  },
  {
    route: 'POST /api/posts/schedule',
    title: `${post.platform} rejects ${title}, no post is made`,
    status: 400,
    call: async (world) => {
      counts.set(world, await total(world))
      return { body: { ...(await bodyOf(world, post)), scheduledAt: world.at(3_600_000) } }
    },
    also: async (_, world) => ((await total(world)) === counts.get(world) ? [] : ['a post was made']),
  },
]

/** Limits, character limits on `content`. */
const limits: readonly (Good & { max: number })[] = [
  { ...good.x, max: 280 },
  { ...good.x, premium: true, max: 25_000 },
  { ...good.bluesky, max: 300 },
  { ...good.threads, max: 500 },
  { ...good.linkedin, max: 3_000 },
  { ...good.instagram, max: 2_200 },
  { ...good.tiktok, max: 2_200 },
  { ...good.facebook, max: 63_206 },
  { ...good.pinterest, max: 800 },
  { ...good.youtube, max: 5_000 },
  { ...good.reddit, max: 40_000 },
  { ...good.discord, max: 2_000 },
  { ...good.slack, max: 4_000 },
]

/** The texts of the metadata that have their own limit. */
const metadataTexts: readonly (Good & { field: string; max: number })[] = [
  { ...good.instagram, field: 'caption', max: 2_200 },
  { ...good.tiktok, field: 'title', max: 2_200 },
  { ...good.pinterest, field: 'title', max: 100 },
  { ...good.pinterest, field: 'description', max: 800 },
  { ...good.reddit, field: 'title', max: 300 },
  { ...good.youtube, field: 'title', max: 100 },
]

const tags = (count: number) => Array.from({ length: count }, (_, n) => `#tag${n}`).join(' ')

export const platformTexts: readonly Check[] = [
  ...limits.flatMap(({ max, ...post }) => [
    ...accepted(`a text of ${max - 1}`, { ...post, content: 'x'.repeat(max - 1) }),
    ...accepted(`a text of ${max}`, { ...post, content: 'x'.repeat(max) }),
    ...rejected(`a text of ${max + 1}`, { ...post, content: 'x'.repeat(max + 1) }, 'content_length'),
  ]),
  ...metadataTexts.flatMap(({ max, field, ...post }) => {
    const of = (length: number) => ({ ...post, metadata: { ...post.metadata, [field]: 'x'.repeat(length) } })
    return [
      ...accepted(`a ${field} of ${max - 1}`, of(max - 1)),
      ...accepted(`a ${field} of ${max}`, of(max)),
      ...rejected(`a ${field} of ${max + 1}`, of(max + 1)),
    ]
  }),
  ...accepted('5 hashtags', { ...good.instagram, metadata: { format: 'feed_image', caption: tags(5) } }),
  ...rejected('6 hashtags', { ...good.instagram, metadata: { format: 'feed_image', caption: tags(6) } }),
  ...accepted('one link', { ...good.facebook, content: 'Look: https://bread.test/one' }),
  ...rejected('two links', { ...good.facebook, content: 'https://bread.test/one https://bread.test/two' }),
]

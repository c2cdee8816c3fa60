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
  /** In place of the account of the platform. */
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
export const accepted = (says: string, post: Good): Check[] => [
  { route: 'POST /api/posts/validate', says: `${post.platform} accepts ${says}`, call: call(post), also: noIssues },
  {
    route: 'POST /api/posts/schedule',
    says: `${post.platform} accepts ${says}`,
    call: async (world) => ({ body: { ...(await bodyOf(world, post)), scheduledAt: world.at(3_600_000) } }),
  },
]

const noIssues: NonNullable<Check['also']> = ({ body }) => valid.faults(body?.['data'], 'data')

const call =
  (post: Good) =>
  async (world: World): Promise<Call> => ({ body: await bodyOf(world, post) })

const counts = new WeakMap<World, number>()

/** A post that validate finds an issue in, and that schedule and publish-now refuse, writing nothing. */
export const rejected = (says: string, post: Good, code?: string): Check[] => [
  {
    route: 'POST /api/posts/validate',
    says: `${post.platform} rejects ${says}`,
    call: call(post),
    ...validIssues(post.platform, code),
  },
  {
    route: 'POST /api/posts/schedule',
    says: `${post.platform} rejects ${says}, no post is made`,
    status: 400,
    call: async (world) => {
      counts.set(world, await total(world))
      return { body: { ...(await bodyOf(world, post)), scheduledAt: world.at(3_600_000) } }
    },
    also: async (_, world) => ((await total(world)) === counts.get(world) ? [] : ['a post was made']),
  },
]

/** Limits, character limits on `content`. */
const limits: readonly (Good & { most: number })[] = [
  { ...good.x, most: 280 },
  { ...good.x, premium: true, most: 25_000 },
  { ...good.bluesky, most: 300 },
  { ...good.threads, most: 500 },
  { ...good.linkedin, most: 3_000 },
  { ...good.instagram, most: 2_200 },
  { ...good.tiktok, most: 2_200 },
  { ...good.facebook, most: 63_206 },
  { ...good.pinterest, most: 800 },
  { ...good.youtube, most: 5_000 },
  { ...good.reddit, most: 40_000 },
  { ...good.discord, most: 2_000 },
  { ...good.slack, most: 4_000 },
]

/** The texts of the metadata that have a limit of their own. */
const metadataTexts: readonly (Good & { field: string; most: number })[] = [
  { ...good.instagram, field: 'caption', most: 2_200 },
  { ...good.tiktok, field: 'title', most: 2_200 },
  { ...good.pinterest, field: 'title', most: 100 },
  { ...good.pinterest, field: 'description', most: 800 },
  { ...good.reddit, field: 'title', most: 300 },
  { ...good.youtube, field: 'title', most: 100 },
]

const tags = (count: number) => Array.from({ length: count }, (_, n) => `#tag${n}`).join(' ')

export const platformTexts: readonly Check[] = [
  ...limits.flatMap(({ most, ...post }) => [
    ...accepted(`a text of ${most - 1}`, { ...post, content: 'x'.repeat(most - 1) }),
    ...accepted(`a text of ${most}`, { ...post, content: 'x'.repeat(most) }),
    ...rejected(`a text of ${most + 1}`, { ...post, content: 'x'.repeat(most + 1) }, 'content_length'),
  ]),
  ...metadataTexts.flatMap(({ most, field, ...post }) => {
    const of = (length: number) => ({ ...post, metadata: { ...post.metadata, [field]: 'x'.repeat(length) } })
    return [
      ...accepted(`a ${field} of ${most - 1}`, of(most - 1)),
      ...accepted(`a ${field} of ${most}`, of(most)),
      ...rejected(`a ${field} of ${most + 1}`, of(most + 1)),
    ]
  }),
  ...accepted('5 hashtags', { ...good.instagram, metadata: { format: 'feed_image', caption: tags(5) } }),
  ...rejected('6 hashtags', { ...good.instagram, metadata: { format: 'feed_image', caption: tags(6) } }),
  ...accepted('one link', { ...good.facebook, content: 'Look: https://bread.test/one' }),
  ...rejected('two links', { ...good.facebook, content: 'https://bread.test/one https://bread.test/two' }),
]

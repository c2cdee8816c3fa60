import type { Call } from '../support/world/ask.ts'
import type { Check } from './check.ts'

/** What a field of a body may not be; a field is required where the specification says so. */
interface Row {
  route: string
  required?: readonly string[]
  not?: Readonly<Record<string, readonly unknown[]>>
  takes?: Readonly<Record<string, readonly unknown[]>>
}

const texts = [7, null, {}]
const lists = ['one', 7, [7]]
const moments = ['tomorrow', '2030-02-30T00:00:00Z', '2030-02-01T00:00:00', '2030-02-01', 7]
const post = { socialAccountIds: [...lists, []], content: texts, metadata: ['text', [], 7], mediaUrls: lists }
const thread = {
  socialAccountId: texts,
  tweets: [[], [{ content: 'alone' }], 'two', [{ content: 'one' }, {}], [{ content: 'one' }, { content: 2 }]],
}
const tooMany = Array.from({ length: 26 }, (_, n) => ({ content: `Tweet ${n}` }))
const largestValues = tooMany.slice(1)
const draft = {
  name: [7, {}],
  socialAccountIds: lists,
  selectedPlatforms: lists,
  mediaUrls: lists,
  platformContent: [{ bluesky: 7 }, 'text', []],
  platformMedia: [{ bluesky: 'one' }, 'text', []],
}
const colors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink']
const eventTypes = [
  ...['post.scheduled', 'post.rescheduled', 'post.cancelled', 'post.published', 'post.publish_failed'],
  'social_account.reconnect_required',
]
const hook = { name: texts, url: [7, 'no address', 'ftp://bread.test'], events: [...lists, ['post.liked']] }
const ids = (count: number) => Array.from({ length: count }, (_, n) => `col_${String(n).padStart(26, '0')}`)
const scopes = [
  ...['workspace:read', 'workspace:write', 'posts:read', 'posts:schedule', 'posts:publish', 'posts:delete'],
  ...['drafts:write', 'media:read', 'media:write', 'memory:read', 'memory:write', '*'],
]

/** Endpoints, the request bodies. */
const rows: readonly Row[] = [
  { route: 'POST /api/posts/validate', required: ['socialAccountIds', 'content'], not: post },
  {
    route: 'POST /api/posts/schedule',
    required: ['socialAccountIds', 'content', 'scheduledAt'],
    not: { ...post, scheduledAt: [...moments, '2020-01-01T00:00:00Z'] },
    takes: { scheduledAt: ['2030-02-01T00:00:00Z', '2030-02-01T00:00:00+05:30', '2030-02-01T00:00:00.5-08:00'] },
  },
  {
    route: 'POST /api/posts/publish-now',
    required: ['socialAccountIds', 'content'],
    not: { ...post, naturalPosting: ['yes', 1] },
    takes: { naturalPosting: [true, false], mediaUrls: [[]], metadata: [{}] },
  },
  {
    route: 'POST /api/posts/{id}/reschedule',
    required: ['scheduledAt'],
    not: { scheduledAt: moments, content: [7, {}], mediaUrls: lists, metadata: ['text', 7] },
    takes: { content: ['Other words'], mediaUrls: [[]] },
  },
  {
    route: 'POST /api/posts/schedule-thread',
    required: ['socialAccountId', 'tweets', 'scheduledAt'],
    not: { ...thread, scheduledAt: moments, tweets: [...thread.tweets, tooMany] },
    takes: { tweets: [largestValues], metadata: [{}] },
  },
  {
    route: 'POST /api/posts/publish-thread-now',
    required: ['socialAccountId', 'tweets'],
    not: { ...thread, tweets: [...thread.tweets, tooMany] },
    takes: { tweets: [largestValues], metadata: [{}] },
  },
  { route: 'POST /api/drafts', required: ['content'], not: { ...draft, content: texts } },
  {
    route: 'PATCH /api/drafts/{id}',
    not: { ...draft, content: [7, {}] },
    takes: { name: ['Named'], platformContent: [{ x: 'short' }], selectedPlatforms: [['x', 'slack']] },
  },
  {
    route: 'POST /api/media/upload-url',
    required: ['filename', 'mimeType', 'fileSize'],
    not: { filename: texts, mimeType: ['text/html', 'picture', 7], fileSize: ['10', 0, -1, null] },
    takes: { mimeType: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'video/mp4'] },
  },
  {
    route: 'POST /api/media/complete',
    required: ['storageKey', 'originalFilename', 'mimeType', 'fileSize'],
    not: {
      storageKey: [7, ''],
      originalFilename: texts,
      mimeType: ['text/html', 7],
      fileSize: ['10', null],
      width: ['1'],
      height: ['1'],
      duration: ['1'],
      altText: [7],
    },
    takes: { width: [1], height: [1], altText: ['A pixel'] },
  },
  {
    route: 'POST /api/memory/collections',
    required: ['name'],
    not: { name: texts, color: ['mauve', 7], isPrivate: ['yes', 1] },
    takes: { color: colors, isPrivate: [true, false] },
  },
  {
    route: 'PATCH /api/memory/collections/{id}',
    not: { name: [7, {}], color: [7], isPrivate: ['yes', 1] },
    takes: { name: ['Named'], color: colors, isPrivate: [true, false] },
  },
  { route: 'POST /api/memory', required: ['text', 'collectionId'], not: { text: texts, collectionId: texts } },
  {
    route: 'POST /api/memory/search',
    required: ['prompt', 'collectionIds'],
    not: { prompt: texts, collectionIds: [...lists, ids(11)], topK: [0, 21, 1.5, '5'] },
    takes: { topK: [1, 5, 20] },
  },
  { route: 'DELETE /api/memory/{id}', required: ['collectionId'], not: { collectionId: texts, memoryId: [7] } },
  {
    route: 'POST /api/social-accounts/pinterest/boards',
    required: ['name'],
    not: { name: [...texts, '', 'x'.repeat(51)], privacy: ['PROTECTED', 'public', 7], socialAccountId: [7] },
    takes: { name: ['y'.repeat(49), 'x'.repeat(50)], privacy: ['PUBLIC', 'SECRET'] },
  },
  {
    route: 'PATCH /api/workspaces/{id}/ai-voice-settings',
    not: { description: [7], tone: [7], style: [{}], personality: [[]] },
    takes: { description: ['Bakers', ''], tone: ['warm', null], style: ['short'], personality: ['kind'] },
  },
  {
    route: 'POST /api/webhooks',
    required: ['name', 'url', 'events'],
    not: { ...hook, enabled: ['yes', 1] },
    takes: { events: eventTypes.map((type) => [type]), enabled: [true, false] },
  },
  {
    route: 'PATCH /api/webhooks/{id}',
    not: { ...hook, name: [7, {}], enabled: ['yes', 1] },
    takes: { name: ['Named'], events: [eventTypes], enabled: [true, false] },
  },
  {
    route: 'POST /api/auth/sign-in/email',
    required: ['email', 'password'],
    not: { email: texts, password: texts },
  },
  {
    route: 'POST /api/cli/tokens',
    required: ['name', 'workspaceId'],
    not: {
      name: texts,
      workspaceId: texts,
      scopes: ['posts:read', ['posts:like'], [7]],
      expiresInDays: [0, 1.5, 'one'],
    },
    takes: { scopes: [[], scopes, ...scopes.map((scope) => [scope])], expiresInDays: [1, 30] },
  },
]

const without = (field: string) => (call: Call) => {
  const { [field]: _, ...body } = { ...(call.body as Record<string, unknown>) }
  return { ...call, body }
}
const withValue = (field: string, value: unknown) => (call: Call) => ({
  ...call,
  body: { ...(call.body as Record<string, unknown>), [field]: value },
})
const short = (value: unknown) => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}… of ${text.length}` : text
}

const valuesOf = (fields: Row['not']) =>
  Object.entries(fields ?? {}).flatMap(([field, values]) => values.map((value) => ({ field, value })))

export const bodies: readonly Check[] = rows.flatMap(({ route, required = [], not, takes }) => [
  ...required.map((field) => ({ route, title: `needs ${field}`, status: 400, change: without(field) })),
  ...valuesOf(not).map(({ field, value }) => ({
    route,
    title: `rejects ${field} ${short(value)}`,
    status: 400,
    change: withValue(field, value),
  })),
  ...valuesOf(takes).map(({ field, value }) => ({
    route,
    title: `accepts ${field} ${short(value)}`,
    change: withValue(field, value),
  })),
])

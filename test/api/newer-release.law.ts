import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { get, type Key, update } from '../../shared/db/table.ts'
import { drafts } from '../../shared/drafts/draft.ts'
import { assets } from '../../shared/media/asset.ts'
import { collections } from '../../shared/memory/collection.ts'
import { memories } from '../../shared/memory/memory.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { members } from '../../shared/workspaces/workspace.ts'
import { type Kit, start } from '../support/start.ts'
import { blueskyLogin, connectOnce, makeAsset, makeMember, minuteMs } from '../support/world/preparations.ts'
import { refusalOf } from './answers.ts'

// What a rollback meets: rows with a status, a platform, or a form that only the newer release knows.
let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = (await kit.sessionApi.socialAccounts.connectBluesky({ body: blueskyLogin })).id
})
afterAll(() => kit.close())

const change = (key: Key, set: Record<string, unknown>) => update(kit.ctx, key, { set })
const at = (minutes: number) => new Date(kit.clock.now() + minutes * minuteMs).toISOString()
const schedule = async (content: string, minutes: number) => {
  const body = { content, socialAccountIds: [account], scheduledAt: at(minutes) }
  const [post] = await kit.api.posts.schedule({ body })
  return post?.id ?? ''
}
const linesOf = (text: string) => kit.logged.filter((line) => line.includes(text))
const noted = 'rows of a newer release are left out'

interface Listed {
  name: string
  make(): Promise<string>
  keyOf(id: string): Key
  set: Record<string, unknown>
  list(): Promise<{ items: readonly { id: string }[]; total: number; unreadable?: number | undefined }>
  get?(id: string): Promise<unknown>
}

let collectionId = ''
const lists: readonly Listed[] = [
  ...[{ status: 'archived' }, { platform: 'tumblr' }].map((set) => ({
    name: `posts with ${Object.entries(set).join()}`,
    make: () => schedule('Fresh bread', 600),
    keyOf: (id: string) => posts.key({ workspaceId: kit.workspaceId, id }),
    set,
    list: () => kit.api.posts.list(),
    get: (id: string) => kit.api.posts.get({ params: { id } }),
  })),
  {
    name: 'posts by status',
    make: () => schedule('Fresh bread', 600),
    keyOf: (id) => posts.key({ workspaceId: kit.workspaceId, id }),
    set: { platform: 'tumblr' },
    list: () => kit.api.posts.list({ query: { status: 'scheduled' } }),
  },
  {
    name: 'posts by time',
    make: () => schedule('Fresh bread', 600),
    keyOf: (id) => posts.key({ workspaceId: kit.workspaceId, id }),
    set: { platform: 'tumblr' },
    list: () => kit.api.posts.list({ query: { sort: 'scheduledAt', order: 'asc' } }),
  },
  {
    name: 'drafts',
    make: async () => (await kit.api.drafts.create({ body: { content: 'One' } })).id,
    keyOf: (id) => drafts.key({ workspaceId: kit.workspaceId, id }),
    set: { content: ['parts'] },
    list: () => kit.api.drafts.list(),
    get: (id) => kit.api.drafts.get({ params: { id } }),
  },
  {
    name: 'media',
    make: async () => (await makeAsset(kit)).id,
    keyOf: (id) => assets.key({ workspaceId: kit.workspaceId, id }),
    set: { fileSize: 'large' },
    list: () => kit.api.media.list(),
    get: (id) => kit.api.media.get({ params: { id } }),
  },
  {
    name: 'memory collections',
    make: async () => (await kit.api.memory.createCollection({ body: { name: 'Bread' } })).id,
    keyOf: (id) => collections.key({ workspaceId: kit.workspaceId, id }),
    set: { isPrivate: 'partly' },
    list: () => kit.api.memory.listCollections(),
    get: (id) => kit.api.memory.getCollection({ params: { id } }),
  },
  {
    name: 'memories',
    make: async () => {
      collectionId ||= (await kit.api.memory.createCollection({ body: { name: 'All' } })).id
      return (await kit.api.memory.create({ body: { collectionId, text: 'Rye' } })).id
    },
    keyOf: (id) => memories.key({ workspaceId: kit.workspaceId, collectionId, id }),
    set: { text: ['parts'] },
    list: () => kit.api.memory.list({ query: { collectionId } }),
  },
]

test.each(
  lists,
)('$name: a list leaves out a row of a newer release and counts it, its total stays true', async (kind) => {
  const ids = [await kind.make(), await kind.make(), await kind.make()]
  const before = await kind.list()
  await change(kind.keyOf(ids[1] ?? ''), kind.set)
  const lines = linesOf(noted).length
  const page = await kind.list()
  expect(page.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id).filter((id) => id !== ids[1]))
  const isCounted = kind.name !== 'memory collections'
  expect(page.total).toBe(isCounted ? before.total : before.total - 1)
  expect(page.unreadable).toBe((before.unreadable ?? 0) + 1)
  expect(linesOf(noted).length).toBe(lines + 1)
  if (kind.get === undefined) return
  expect(await refusalOf(kind.get(ids[1] ?? ''))).toMatchObject({ status: 409, code: 'newer_release' })
})

test('a page that ends with a row of a newer release leads to the next one', async () => {
  kit.clock.pass(1)
  const made = await Promise.all(Array.from({ length: 5 }, () => kit.api.drafts.create({ body: { content: 'Page' } })))
  const newest = made
    .map(({ id }) => id)
    .sort()
    .reverse()
  await change(drafts.key({ workspaceId: kit.workspaceId, id: newest[1] ?? '' }), { content: 7 })
  const first = await kit.api.drafts.list({ query: { limit: 2 } })
  expect(first).toMatchObject({ items: [{ id: newest[0] }], hasMore: true, unreadable: 1 })
  const second = await kit.api.drafts.list({ query: { limit: 2, cursor: first.nextCursor ?? '' } })
  expect(second.items.map(({ id }) => id)).toEqual(newest.slice(2, 4))
})

test('accounts: a list leaves out one of a platform that this release does not know', async () => {
  const other = await connectOnce(kit, 'discord')
  const key = socialAccounts.key({ workspaceId: kit.workspaceId, id: other })
  await change(key, { platform: 'tumblr' })
  const listed = await kit.api.socialAccounts.list()
  expect(JSON.stringify(listed)).not.toContain(other)
  expect(JSON.stringify(listed)).toContain(account)
})

test('an export leaves rows of a newer release out and completes', async () => {
  const id = await schedule('Exported', 900)
  await change(posts.key({ workspaceId: kit.workspaceId, id }), { status: 'archived' })
  const { exportId } = await kit.sessionApi.workspaces.export({ params: { id: kit.workspaceId } })
  await kit.service.pass(5 * minuteMs)
  const params = { id: kit.workspaceId, exportId }
  expect(await kit.sessionApi.workspaces.getExport({ params })).toMatchObject({ status: 'completed' })
})

test.each([
  ['status', { status: 'archived' }],
  ['platform', { platform: 'tumblr' }],
  // Its publisher claims it before it reads it.
  ['form', { media: 'none' }],
])('a due post with an unknown %s stops no other post, and logs no error', async (name, set) => {
  const [strange, healthy] = [await schedule(`Strange ${name}`, 5), await schedule(`Healthy ${name}`, 5)]
  const key = posts.key({ workspaceId: kit.workspaceId, id: strange })
  await change(key, set)
  const from = kit.logged.length
  await kit.service.pass(4 * 60 * minuteMs, { tickMinutes: 5 })
  expect(await kit.api.posts.get({ params: { id: healthy } })).toMatchObject({ status: 'published' })
  expect(await refusalOf(kit.api.posts.get({ params: { id: strange } }))).toMatchObject({ code: 'newer_release' })
  const since = kit.logged.slice(from)
  expect(since.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a member with a role of a newer release keeps what every member can do', async () => {
  const { userId, session } = await makeMember(kit, 'admin', 'active')
  const key = members.key({ workspaceId: kit.workspaceId, userId })
  await change(key, { role: 'editor' })
  const member = client({ baseUrl: kit.url, token: session, workspaceId: kit.workspaceId })
  expect(await member.workspaces.list()).toMatchObject([{ id: kit.workspaceId, role: 'member' }])
  expect((await member.posts.list()).items).toEqual(expect.any(Array))
  const rename = member.workspaces.update({ params: { id: kit.workspaceId }, body: { name: 'Taken' } })
  expect(await refusalOf(rename)).toMatchObject({ status: 403, code: 'insufficient_role' })
  const listed = await kit.sessionApi.team.listMembers({ params: { id: kit.workspaceId } })
  expect(JSON.stringify(listed)).toContain(userId)
  expect(await get(kit.ctx, key)).toMatchObject({ role: 'editor' })
})

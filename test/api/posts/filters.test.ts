import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Client, client } from '../../../functions/client.ts'
import { moveCounts } from '../../../shared/db/counters.ts'
import { transact } from '../../../shared/db/table.ts'
import { pair, ulid } from '../../../shared/ids.ts'
import { countNames } from '../../../shared/posts/counts.ts'
import { neverClaimed, type Post, type PostStatus, posts } from '../../../shared/posts/lifecycle/row.ts'
import { splitLongTexts } from '../../../shared/posts/texts.ts'
import { type SocialAccount, socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { scheduleOn } from '../../journeys/author.ts'
import { type Kit, start } from '../../support/start.ts'

const rows = 2_400
const startMs = Date.UTC(2026, 0, 1)
const statuses = ['published', 'published', 'published', 'scheduled', 'failed', 'cancelled'] as const
const platforms = ['bluesky', 'x', 'discord'] as const
const terms = ['Rye bread', 'STOLLEN', 'Überbackenes', 'crumbs'] as const

let kit: Kit
let api: Client
/** Whose accounts they are: a customer has several, one, or one without posts. */
const owners: Readonly<Record<string, string>> = {
  acc_0: 'customer-a',
  acc_1: 'customer-b',
  acc_3: 'customer-a',
  acc_5: 'customer-a',
  acc_idle: 'customer-c',
}

const makeAccount = (workspaceId: string, id: string, integratorId: string): SocialAccount => ({
  id,
  workspaceId,
  integratorId,
  platform: 'x',
  externalId: id,
  providerName: 'X',
  username: id,
  displayName: id,
  profileImageUrl: null,
  isConnected: true,
  needsReconnect: false,
  credentials: '',
  credentialsVersion: 1,
  details: {},
  eventCount: 0,
  createdAt: new Date(startMs).toISOString(),
})

/** The posts of the workspace, and their texts. */
const all: { post: Post; text: string }[] = []

/** Digits that follow from a number and look like chance. */
const mixed = (n: number, of: number) => ((n * 2_654_435_761) >>> 7) % of
const pick = <T>(from: readonly T[], n: number): T => from[n % from.length] as T

const makePost = (workspaceId: string, n: number) => {
  const groupId =
    ulid(startMs + Math.floor(n / 2) * minuteMs).slice(0, 10) + String(Math.floor(n / 2)).padStart(16, '0')
  // Long texts have their own rows; many posts share few times.
  const text = `${pick(terms, mixed(n, 97))} ${n}${n % 300 === 0 ? ' and more'.repeat(1_000) : ''}`
  const scheduledAtMs = startMs + mixed(n, 150) * hourMs
  const texts = splitLongTexts(workspaceId, groupId + pair(n % 2))
  const post: Post = {
    id: groupId + pair(n % 2),
    workspaceId,
    groupId,
    socialAccountId: `acc_${mixed(n, 7)}`,
    media: [],
    platform: pick(platforms, mixed(n, 7)),
    status: pick<PostStatus>(statuses, mixed(n, 31)),
    scheduledAt: new Date(scheduledAtMs).toISOString(),
    scheduledAtMs,
    createdAt: new Date(startMs).toISOString(),
    publishedPostUrl: null,
    error: null,
    version: 1,
    sequence: 1,
    ...neverClaimed,
    ...texts.store(text),
    ...(n % 3 === 0 ? { externalId: `order ${mixed(n, 40)}` } : {}),
  }
  return { post, text, writes: [{ put: posts.item(post) }, ...texts.writes()] }
}

beforeAll(async () => {
  kit = await start()
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Filters', timezone: 'UTC' } })
  api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId })
  const moves = new Map<string, number>()
  for (let from = 0; from < rows; from += 80) {
    const made = Array.from({ length: 80 }, (_, n) => makePost(workspaceId, from + n))
    await transact(kit.ctx, () => made.flatMap(({ writes }) => writes))
    for (const { post, text } of made) {
      all.push({ post, text })
      for (const name of countNames(post, post.status)) moves.set(name, (moves.get(name) ?? 0) + 1)
    }
  }
  await transact(kit.ctx, () => moveCounts(workspaceId, 'POST', moves))
  // Another workspace has an account of the same customer.
  const accounts = Object.entries(owners).map(([id, owner]) => makeAccount(workspaceId, id, owner))
  const elsewhere = makeAccount(kit.workspaceId, 'acc_2', 'customer-a')
  await transact(kit.ctx, () => [...accounts, elsewhere].map((account) => ({ put: socialAccounts.item(account) })))
}, 120_000)
afterAll(() => kit.close())

const atHour = fc.integer({ min: -5, max: 155 }).map((hour) => new Date(startMs + hour * hourMs).toISOString())
const filters = fc.record(
  {
    status: fc.constantFrom('published', 'scheduled', 'failed', 'draft'),
    socialAccountId: fc.constantFrom('acc_0', 'acc_3', 'acc_none'),
    accountExternalId: fc.constantFrom('customer-a', 'customer-b', 'customer-c', 'nobody'),
    platform: fc.constantFrom(...platforms, 'slack'),
    externalId: fc.constantFrom('order 3', 'order 17', 'order'),
    groupId: fc.integer({ min: 0, max: rows - 1 }).map((n) => all[n]?.post.groupId ?? ''),
    from: atHour,
    to: atHour,
    q: fc.constantFrom('stollen', 'BREAD 1', 'überBACKenes', 'and more and', 'nowhere'),
    sort: fc.constantFrom('createdAt', 'scheduledAt'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
)
type Filter = typeof filters extends fc.Arbitrary<infer T> ? T : never

const expectedOf = ({ sort, order, from, to, q, accountExternalId: owner, ...equal }: Filter) => {
  const matching = all.filter(
    ({ post, text }) =>
      Object.entries(equal).every(([name, value]) => post[name as keyof Post] === value) &&
      (owner === undefined || owners[post.socialAccountId] === owner) &&
      (from === undefined || post.scheduledAt >= from) &&
      (to === undefined || post.scheduledAt < to) &&
      (q === undefined || text.toLowerCase().includes(q.toLowerCase())),
  )
  return matching.map(({ post }) => post.id).sort()
}

test('a walk by cursor meets each matching post once, in order, with any filters', async () => {
  const holds = fc.asyncProperty(filters, fc.constantFrom(1, 7, 50, 200), async (filter, size) => {
    const { from, to } = filter
    if (from !== undefined && to !== undefined && to <= from) {
      await expect(api.posts.list({ query: filter })).rejects.toMatchObject({ status: 400, body: { field: 'to' } })
      return
    }
    const expected = expectedOf(filter)
    // Every page costs a request; long lists are walked in few of them.
    const limit = expected.length > 200 ? 200 : expected.length > 20 ? Math.max(7, size) : size
    const seen: { id: string; at: string }[] = []
    const { sort = 'createdAt', order = 'desc' } = filter
    let cursor: string | undefined
    for (let pages = 0; pages < 60; pages += 1) {
      const page = await api.posts.list({ query: { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) } })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      if (page.totalIsExact) expect(page.total).toBe(expected.length)
      else expect(page.total).toBeLessThanOrEqual(expected.length)
      expect(page.nextCursor !== undefined).toBe(page.hasMore)
      seen.push(...page.items.map(({ id, scheduledAt }) => ({ id, at: sort === 'createdAt' ? id : `${scheduledAt}` })))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    expect(cursor).toBeUndefined()
    expect(seen.map(({ id }) => id).sort()).toEqual(expected)
    const times = seen.map(({ at }) => at)
    expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().reverse())
  })
  await fc.assert(holds, { numRuns: 60 })
}, 120_000)

test.each([
  'createdAt',
  'scheduledAt',
] as const)('"from" includes its time and "to" does not, sorted by %s', async (sort) => {
  const [from, to] = [new Date(startMs + 24 * hourMs).toISOString(), new Date(startMs + 27 * hourMs).toISOString()]
  const window = { from, to, platform: 'bluesky' } as const
  const expected = expectedOf(window)
  const times = all.filter(({ post }) => expected.includes(post.id)).map(({ post }) => post.scheduledAt)
  expect(times).toContain(from)
  expect(all.map(({ post }) => post).some((post) => post.scheduledAt === to && post.platform === 'bluesky')).toBe(true)
  const seen: string[] = []
  for (let cursor: string | undefined, pages = 0; pages < 10; pages += 1) {
    const page = await api.posts.list({ query: { ...window, sort, limit: 200, ...(cursor ? { cursor } : {}) } })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  expect(seen.sort()).toEqual(expected)
})

test('the total is exact where the service counts, and where the first page has everything', async () => {
  const shown = async (query: Filter) => {
    const { total, totalIsExact } = await api.posts.list({ query: { ...query, limit: 200 } })
    return [total, totalIsExact]
  }
  const count = (query: Filter) => expectedOf(query).length
  for (const query of [
    {},
    { status: 'failed' },
    { order: 'asc' },
    { sort: 'scheduledAt', status: 'failed' },
    { accountExternalId: 'customer-a' },
    { accountExternalId: 'customer-a', status: 'scheduled', order: 'asc' },
    { accountExternalId: 'customer-b', status: 'published' },
    { accountExternalId: 'customer-c' },
    { accountExternalId: 'nobody' },
  ] as const) {
    expect(await shown(query)).toEqual([count(query), true])
  }
  const few = { externalId: 'order 17' } as const
  expect(count(few)).toBeGreaterThan(5)
  expect(await shown(few)).toEqual([count(few), true])
  const [known, isExact] = await shown({ platform: 'bluesky' })
  expect(isExact).toBe(false)
  expect(known).toBeGreaterThan(200)
  expect(known).toBeLessThan(count({ platform: 'bluesky' }))
})

test('the posts of a customer with several accounts fill each page, by cursor and by offset', async () => {
  const expected = expectedOf({ accountExternalId: 'customer-a' }).reverse()
  expect(expected.length).toBeGreaterThan(900)
  const query = { accountExternalId: 'customer-a', limit: 200 }
  const first = await api.posts.list({ query })
  const next = await api.posts.list({ query: { ...query, cursor: first.nextCursor ?? '' } })
  const deep = await api.posts.list({ query: { ...query, offset: 600 } })
  const ids = [first, next, deep].flatMap(({ items }) => items.map(({ id }) => id))
  expect(ids).toEqual([...expected.slice(0, 400), ...expected.slice(600, 800)])
})

test('a request reads at most a thousand posts, and the next one continues behind them', async () => {
  const first = await api.posts.list({ query: { q: 'nowhere' } })
  expect(first).toMatchObject({ items: [], total: 0, totalIsExact: false, hasMore: true })
  const newest = all
    .map(({ post }) => post.id)
    .sort()
    .reverse()
  expect(newest.indexOf(first.nextCursor ?? '')).toBe(999)
  const byTime = await api.posts.list({ query: { q: 'nowhere', sort: 'scheduledAt' } })
  expect(byTime.nextCursor).toHaveLength(37)
})

test('parameters that exclude each other are rejected with the field to change', async () => {
  const [id = ''] = all.map(({ post }) => post.id)
  const position = `000000000${id}`
  const cases = [
    [{ q: 'x', offset: 1 }, 'offset'],
    [{ sort: 'scheduledAt', offset: 1 }, 'offset'],
    [{ order: 'asc', offset: 1 }, 'offset'],
    [{ sort: 'scheduledAt', cursor: id }, 'cursor'],
    [{ cursor: position }, 'cursor'],
    [{ cursor: position, sort: 'scheduledAt', offset: 1 }, 'cursor'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-02T01:00:00+01:00' }, 'to'],
    [{ from: 'tomorrow' }, 'from'],
    [{ platform: 'myspace' }, 'platform'],
    [{ q: '' }, 'q'],
    [{ accountExternalId: '' }, 'accountExternalId'],
    [{ accountExternalId: 'c'.repeat(201) }, 'accountExternalId'],
  ] as const
  for (const [query, field] of cases) {
    await expect(api.posts.list({ query })).rejects.toMatchObject({ status: 400, body: { field } })
  }
})

test('a cursor outside of the requested times begins or ends the list', async () => {
  const query = { sort: 'scheduledAt', from: '2026-01-02T00:00:00Z', to: '2026-01-02T04:00:00Z', limit: 200 }
  const whole = await api.posts.list({ query })
  const [before, after] = ['000000000', 'ZZZZZZZZZ'].map((time) => `${time}${'0'.repeat(28)}`)
  const ids = async (order: string, cursor = '') =>
    (await api.posts.list({ query: { ...query, order, cursor } })).items.map(({ id }) => id)
  expect(whole.items.length).toBeGreaterThan(10)
  expect(await ids('desc', after)).toEqual(whole.items.map(({ id }) => id))
  expect((await ids('asc', before)).sort()).toEqual(whole.items.map(({ id }) => id).sort())
  expect([await ids('desc', before), await ids('asc', after)]).toEqual([[], []])
  const far = { from: '9999-12-31T23:59:59-12:00', to: '9999-12-31T23:59:59-13:00' }
  expect(await api.posts.list({ query: { ...far, sort: 'scheduledAt' } })).toMatchObject({ total: 0, hasMore: false })
})

test('a change of the time or the external id moves the post in these lists', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'moving', 60 * minuteMs)
  const matching = async (query: Readonly<Record<string, string>>) =>
    (await kit.api.posts.list({ query })).items.map((post) => post.id)
  const body = { externalId: 'first', scheduledAt: new Date(kit.clock.now() + 5 * hourMs).toISOString() }
  const window = (fromHour: number) => ({
    sort: 'scheduledAt',
    from: new Date(kit.clock.now() + fromHour * hourMs).toISOString(),
  })
  expect([await matching(window(0)), await matching(window(3))]).toEqual([[id], []])
  await kit.api.posts.update({ params: { id }, body })
  expect([await matching(window(3)), await matching(window(6))]).toEqual([[id], []])
  expect(await matching({ externalId: 'first' })).toEqual([id])
  await kit.api.posts.update({ params: { id }, body: { externalId: 'second' } })
  expect([await matching({ externalId: 'first' }), await matching({ externalId: 'second' })]).toEqual([[], [id]])
  await kit.api.posts.update({ params: { id }, body: { externalId: null } })
  expect(await matching({ externalId: 'second' })).toEqual([])
  await kit.api.posts.delete({ params: { id } })
  expect(await matching(window(3))).toEqual([])
})

/** What the calendar shows of the posts of a day: by request, those with a failure first, then by time. */
const expectedGroups = (own: typeof all, max: number) => {
  const inOrder = own.toSorted(
    (a, b) => a.post.scheduledAtMs - b.post.scheduledAtMs || (a.post.id < b.post.id ? -1 : 1),
  )
  const groups = [...Map.groupBy(inOrder, ({ post }) => post.groupId)].map(([groupId, posts]) => {
    const isFailed = ({ post }: (typeof all)[number]) => post.status === 'failed'
    const sorted = posts.toSorted((a, b) => (a.post.id < b.post.id ? -1 : 1))
    const shown = [...sorted.filter(isFailed), ...sorted.filter((member) => !isFailed(member))].map(({ post, text }) =>
      expect.objectContaining({ id: post.id, status: post.status, content: text }),
    )
    return { groupId, count: posts.length, failed: posts.filter(isFailed).length, posts: shown }
  })
  return [...groups.filter(({ failed }) => failed > 0), ...groups.filter(({ failed }) => failed === 0)].slice(0, max)
}

test('the calendar has each post on its day, in any zone, and the first of them in order', async () => {
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns')
  const first = fc.integer({ min: -2, max: 8 })
  const holds = fc.asyncProperty(
    zone,
    first,
    fc.integer({ min: 0, max: 10 }),
    async (timezone, offset, postsPerDay) => {
      const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
      const from = new Date(startMs + offset * 24 * hourMs).toISOString().slice(0, 10)
      const to = new Date(startMs + (offset + 6) * 24 * hourMs).toISOString().slice(0, 10)
      const groupsPerDay = 10 - postsPerDay
      const { days } = await api.posts.calendar({ query: { from, to, timezone, postsPerDay, groupsPerDay } })
      expect(days.map(({ date }) => date)).toHaveLength(7)
      for (const { date, count, failed, posts, groups } of days) {
        const own = all.filter(({ post }) => dayOf.format(post.scheduledAtMs) === date)
        expect(count, date).toBe(own.length)
        expect(posts.length).toBe(Math.min(postsPerDay, count))
        const times = own.map(({ post }) => post.scheduledAt).sort()
        expect(posts.map(({ scheduledAt }) => scheduledAt)).toEqual(times.slice(0, postsPerDay))
        const textOf = new Map(own.map(({ post, text }) => [post.id, text]))
        for (const { id, content } of posts) expect(content).toBe(textOf.get(id))
        expect(failed, date).toBe(own.filter(({ post }) => post.status === 'failed').length)
        expect(groups, date).toEqual(expectedGroups(own, groupsPerDay))
      }
    },
  )
  await fc.assert(holds, { numRuns: 12 })
}, 120_000)

test.each([
  [{ from: '2026-01-08', to: '2026-01-01' }, 'to'],
  [{ from: '2026-01-01', to: '2026-02-12' }, 'to'],
  [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
  [{ from: '0999-12-31', to: '1000-01-01' }, 'from'],
  [{ from: '9998-12-31', to: '9999-01-01' }, 'to'],
  [{ from: '2026-01-01', to: '2026-01-02', timezone: 'Mars/Olympus' }, 'timezone'],
  [{ from: '2026-01-01', to: '2026-01-02', postsPerDay: 11 }, 'postsPerDay'],
  [{ from: '2026-01-01', to: '2026-01-02', groupsPerDay: 11 }, 'groupsPerDay'],
])('the calendar refuses %j and names %s', async (query, field) => {
  await expect(api.posts.calendar({ query })).rejects.toMatchObject({ status: 400, body: { field } })
})

const Parameter = z.looseObject({
  name: z.optional(z.string()),
  in: z.optional(z.string()),
  schema: z.optional(z.looseObject({ format: z.optional(z.string()) })),
})
const Described = z.object({
  paths: z.record(z.string(), z.object({ get: z.optional(z.object({ parameters: z.array(Parameter) })) })),
})

const ends = ['0000-01-01', '0001-01-01', '0999-12-31', '1000-01-01', '1969-12-31', '9998-12-31', '9999-12-31']
const zones = ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Africa/Monrovia']

test('operations with dates accept the earliest and the latest time', async () => {
  const { paths } = z.parse(Described, await (await fetch(`${kit.url}/api/openapi.json`)).json())
  const dateFilters = Object.entries(paths).flatMap(([path, { get }]) => {
    const all = get?.parameters.filter(({ in: where }) => where === 'query') ?? []
    const dated = all.filter(({ schema }) => /^date/.test(schema?.format ?? ''))
    return dated.length === 0 ? [] : [{ path, dated, hasZone: all.some(({ name }) => name === 'timezone') }]
  })
  expect(dateFilters.map(({ path }) => path)).toEqual(expect.arrayContaining(['/api/posts', '/api/posts/calendar']))
  const headers = { authorization: `Bearer ${kit.sessionToken}`, 'x-workspace-id': kit.workspaceId }
  for (const { path, dated, hasZone } of dateFilters) {
    for (const day of ends) {
      for (const timezone of hasZone ? zones : ['']) {
        const given = new URLSearchParams(timezone === '' ? {} : { timezone })
        for (const { name = '', schema } of dated) given.set(name, schema?.format === 'date' ? day : `${day}T00:00:00Z`)
        const { status } = await fetch(`${kit.url}${path.replace('{id}', kit.workspaceId)}?${given}`, { headers })
        expect(status, `${path}?${given}`).toBeLessThan(500)
      }
    }
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlatformId } from '../../../shared/resources.ts'
import { uploadPng } from '../../journeys/upload.ts'
import { inventAccounts } from '../../support/every-account.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
let accounts: Record<PlatformId, string>
let picture: Awaited<ReturnType<typeof uploadPng>>

beforeAll(async () => {
  kit = await start()
  accounts = await inventAccounts(kit)
  picture = await uploadPng(kit)
})
afterAll(() => kit.close())

const validate = (platform: PlatformId, body: object) =>
  kit.api.posts.validate({ body: { socialAccountIds: [accounts[platform]], content: 'Hi', ...body } })

const issuesFor = async (platform: PlatformId, body: object) =>
  (await validate(platform, body)).issues.map(({ code, field, message }) => [code, field, message])

test.each([
  ['pinterest', 801, { boardId: '1', title: 'Cake', description: 'What goes out' }],
  ['instagram', 2201, { format: 'feed_image', caption: 'What goes out' }],
  ['tiktok', 2201, { privacyLevel: 'SELF_ONLY', title: 'What goes out' }],
] as const)('a content too long for %s is an issue even when its metadata replaces the text', async (platform, length, block) => {
  const lengthBelow = length - 1
  const body = { metadata: { [platform]: block } }
  const lengths = (issues: readonly unknown[][]) => issues.filter(([code]) => code === 'content_length')
  expect(lengths(await issuesFor(platform, { ...body, content: 'a'.repeat(lengthBelow) }))).toEqual([])
  expect(lengths(await issuesFor(platform, { ...body, content: 'a'.repeat(length) }))).toEqual([
    ['content_length', 'content', expect.stringMatching(new RegExp(`: ${length}/${lengthBelow} characters\\.$`))],
  ])
})

test('accepts the address of a preview as a media URL, right after the upload and at any later time', async () => {
  const bluesky = (mediaUrls: string[]) => validate('bluesky', { mediaUrls })
  expect(await bluesky([picture.previewUrl])).toMatchObject({ valid: true, issues: [], warnings: [] })
  await kit.service.drain()
  const { previewUrl, url } = await kit.api.media.get({ params: { id: picture.id } })
  expect(previewUrl).toMatch(/\/media\/previews\/.+\.webp$/)
  expect(await bluesky([previewUrl])).toMatchObject({ valid: true, issues: [], warnings: [] })
  expect(await bluesky([url])).toMatchObject({ valid: true, issues: [], warnings: [] })
  const scheduledAt = new Date(kit.clock.now() + 60 * 60_000).toISOString()
  const body = { socialAccountIds: [accounts.bluesky], content: 'Hi', scheduledAt, mediaUrls: [previewUrl] }
  expect(await kit.api.posts.schedule({ body })).toMatchObject([{ mediaUrls: [picture.id] }])
  // The preview of another workspace's file names nothing here.
  const foreign = previewUrl.replace(kit.workspaceId, 'ws_01KAJ2J4B6D8F0H2K4M6P8R0T2')
  expect((await bluesky([foreign])).issues).toMatchObject([{ code: 'media_not_found' }])
})

test('validate reports the platform of a missing account as `unknown`', async () => {
  const { issues } = await kit.api.posts.validate({ body: { socialAccountIds: ['acc_none'], content: 'Hi' } })
  expect(issues).toEqual([
    {
      socialAccountId: 'acc_none',
      platform: 'unknown',
      code: 'account_not_found',
      field: 'socialAccountIds',
      message: 'This workspace has no account acc_none.',
      next: 'Use an id from GET /api/social-accounts.',
    },
  ])
})

test('one character too many: the error and its remedy are two sentences', async () => {
  const scheduledAt = new Date(kit.clock.now() + 60_000).toISOString()
  const body = { socialAccountIds: [accounts.x], content: 'a'.repeat(281), scheduledAt }
  expect(await refusalOf(kit.api.posts.schedule({ body }))).toMatchObject({
    status: 400,
    error: 'X: 281/280 characters. Shorten the text by 1 character.',
    issues: [{ field: 'content', code: 'content_length' }],
  })
})

test.each([
  ['content_length', 'content', () => ({ socialAccountIds: [accounts.x], content: 'a'.repeat(281) })],
  [
    'metadata_required',
    'metadata.pinterest',
    () => ({ socialAccountIds: [accounts.pinterest], mediaUrls: [picture.id] }),
  ],
  [
    'media_count',
    'mediaUrls',
    () => ({
      socialAccountIds: [accounts.pinterest],
      metadata: { pinterest: { boardId: '1', title: 'Cake', description: 'Sweet' } },
    }),
  ],
  ['duplicate_account', 'socialAccountIds', () => ({ socialAccountIds: [accounts.bluesky, accounts.bluesky] })],
] as const)('a form can mark the input that a post was refused for: %s', async (code, field, body) => {
  const scheduledAt = new Date(kit.clock.now() + 60_000).toISOString()
  const refused = await refusalOf(kit.api.posts.schedule({ body: { content: 'Hi', scheduledAt, ...body() } as never }))
  expect(refused).toMatchObject({ status: 400, code, field })
})

test('a line break of two characters counts once on X', async () => {
  const { lengths } = await validate('x', { content: `${'a'.repeat(278)}\r\nb` })
  expect(lengths).toMatchObject([{ used: 280, max: 280 }])
})

test('validate checks the time as schedule does', async () => {
  const post = { socialAccountIds: [accounts.bluesky], content: 'Hi' }
  const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
  const dayMs = 86_400_000
  for (const scheduledAt of ['2030-02-30T09:00:00Z', 1_900_000_000, 'tomorrow']) {
    const body = { ...post, scheduledAt } as never
    const refused = await refusalOf(kit.api.posts.schedule({ body }))
    expect(refused).toMatchObject({ status: 400, field: 'scheduledAt' })
    expect(await refusalOf(kit.api.posts.validate({ body }))).toEqual(refused)
  }
  for (const scheduledAt of [at(-1), at(6 * 366 * dayMs)]) {
    const body = { ...post, scheduledAt }
    const { valid, issues } = await kit.api.posts.validate({ body })
    expect(valid).toBe(false)
    expect(issues).toMatchObject([{ code: 'invalid_input', field: 'scheduledAt' }])
    expect(await refusalOf(kit.api.posts.schedule({ body }))).toMatchObject({
      status: 400,
      code: 'invalid_input',
      error: issues[0]?.message,
    })
  }
  for (const scheduledAt of [at(dayMs), at(dayMs).toLowerCase()]) {
    expect(await kit.api.posts.validate({ body: { ...post, scheduledAt } })).toMatchObject({ valid: true })
  }
})

test('validate reports every unknown field when it receives a whole post record', async () => {
  const body = { socialAccountIds: [accounts.x], content: 'Hi', name: 'Plan', id: 'drf_1', version: 3 }
  expect(await refusalOf(kit.api.posts.validate({ body }))).toMatchObject({
    status: 400,
    error: '"name", "id" and "version" are not known fields. Remove them.',
    field: 'name',
    issues: [
      { field: 'name', code: 'unknown_field', message: '"name" is not a known field. Remove it.' },
      { field: 'id', code: 'unknown_field' },
      { field: 'version', code: 'unknown_field' },
    ],
  })
})

test('no error message contains a regular expression', async () => {
  const error = async (path: string) => JSON.parse(await (await kit.api.$raw('GET', path)).text()).error
  expect(await error('/api/posts?cursor=yesterday')).toBe('"cursor" must be the nextCursor of a page of this list.')
  expect(await error('/api/media?cursor=yesterday')).toBe('"cursor" must be the nextCursor of a page of this list.')
  expect(await error('/api/posts/a%20b')).toBe('"id" must be an id.')
})

test('with naturalPosting, a post shows its planned publication time', async () => {
  const scheduledAt = new Date(kit.clock.now() + 60 * 60_000).toISOString()
  const body = { socialAccountIds: [accounts.x, accounts.linkedin], content: 'Hi', scheduledAt, naturalPosting: true }
  const posts = await kit.api.posts.schedule({ body })
  for (const post of posts) {
    expect(post.scheduledAt).toBe(scheduledAt)
    const laterMs = Date.parse(post.plannedAt) - Date.parse(scheduledAt)
    expect(laterMs).toBeGreaterThan(0)
    expect(laterMs).toBeLessThan(5 * 60_000)
    expect(await kit.api.posts.get({ params: { id: post.id } })).toMatchObject({ plannedAt: post.plannedAt })
  }
  const [plain] = await kit.api.posts.schedule({ body: { ...body, naturalPosting: false } })
  expect(plain?.plannedAt).toBe(scheduledAt)
})

test.each([
  '#0a7cff',
  '#FFF',
  '#0a7cff80',
  'teal',
])('a collection accepts the color %s, on create and on update', async (color) => {
  const { id } = await kit.api.memory.createCollection({ body: { name: 'Notes', color } })
  expect(await kit.api.memory.getCollection({ params: { id } })).toMatchObject({ color })
  await kit.api.memory.updateCollection({ params: { id }, body: { color: 'red' } })
  expect(await kit.api.memory.updateCollection({ params: { id }, body: { color } })).toMatchObject({ color })
})

test.each([
  '#12',
  'black',
  'url(x)',
  '#0a7cf',
  '',
])('rejects %j as a color and lists the accepted ones', async (color) => {
  expect(await refusalOf(kit.api.memory.createCollection({ body: { name: 'Notes', color } }))).toMatchObject({
    status: 400,
    field: 'color',
    error: expect.stringContaining('must be one of red, orange, yellow, green, teal, blue, purple, pink, or a CSS hex'),
  })
})

import { afterAll, expect, test } from 'vitest'
import { adapterOf } from '../../shared/platforms/adapters.ts'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { platformIds } from '../../shared/resources.ts'
import { hourMs } from '../../shared/time.ts'
import { openComments } from './comments.ts'

const { kit, accounts, nextText, draftOf, issuesOf } = await openComments()
afterAll(() => kit.close())

test('accounts have their own comments, or none', async () => {
  const [x = '', facebook = '', tiktok = ''] = [accounts.get('x'), accounts.get('facebook'), accounts.get('tiktok')]
  const own = nextText('Of its own')
  const body = {
    socialAccountIds: [x, facebook],
    content: nextText('A post'),
    scheduledAt: new Date(kit.clock.now() + hourMs).toISOString(),
    firstComment: { text: nextText('For all') },
    firstCommentByAccount: { [x]: { text: own, delaySeconds: 5 }, [facebook]: null },
  }
  const [first, second] = await kit.api.posts.schedule({ body })
  expect([first?.firstComment?.text, second?.firstComment]).toEqual([own, null])
  const check = (more: object) => kit.api.posts.validate({ body: { ...body, content: nextText('A post'), ...more } })
  expect(
    (await check({ socialAccountIds: [x], firstCommentByAccount: { [facebook]: { text: 'x' } } })).warnings,
  ).toMatchObject([{ code: 'unknown_field', field: `firstCommentByAccount.${facebook}` }])
  const withoutField = await check({ socialAccountIds: [x, tiktok], firstCommentByAccount: undefined })
  expect(withoutField.warnings).toContainEqual(
    expect.objectContaining({ code: 'first_comment_not_supported', socialAccountId: tiktok, field: 'firstComment' }),
  )
  const named = await check({ socialAccountIds: [x, tiktok], firstCommentByAccount: { [tiktok]: { text: 'x' } } })
  expect(named.issues).toContainEqual(
    expect.objectContaining({ code: 'first_comment_not_supported', field: `firstCommentByAccount.${tiktok}` }),
  )
})

test.each([
  ['x', 280],
  ['facebook', 8000],
  ['instagram', 2200],
  ['discord', 2000],
  ['bluesky', 300],
  ['threads', 500],
  ['slack', 4000],
  ['linkedin', 1250],
] as const)('%s: a comment has at most %d characters', async (platform, max) => {
  expect(await issuesOf(platform, 'a'.repeat(max))).toEqual([])
  expect(await issuesOf(platform, 'a'.repeat(max + 1))).toMatchObject([
    { code: 'content_length', field: 'firstComment.text' },
  ])
  expect(await issuesOf(platform, ' ')).toMatchObject([{ code: 'content_empty', field: 'firstComment.text' }])
})

test.each([
  'youtube',
  'wordpress',
  'reddit',
] as const)('%s: a comment has at most the characters of any comment', async (platform) => {
  const [measure] = definitionOf(platform).comment?.measures ?? []
  expect([measure?.max, await issuesOf(platform, 'a'.repeat(10_000))]).toEqual([10_000, []])
  await expect(issuesOf(platform, 'a'.repeat(10_001))).rejects.toMatchObject({ status: 400 })
})

const sixLinks = Array.from({ length: 6 }, (_, n) => `https://example.com/${n}`).join(' ')

test.each([
  ['x', '$TSLA or $BRK.A?', 'cashtag_limit', 'X: 2/1 cashtags.'],
  ['threads', sixLinks, 'link_limit', 'Threads: 6/5 links.'],
] as const)('%s: a comment that is a post keeps the rules of its text', async (platform, text, code, message) => {
  const field = 'firstComment.text'
  expect(await issuesOf(platform, text)).toMatchObject([{ code, field, message }])
  expect(await issuesOf(platform, text.replace(/\S+$/, ''))).toEqual([])
  expect(await issuesOf(platform, text.padEnd(5000, '.'))).toMatchObject([{ code: 'content_length', field }])
})

test.each([
  ['private', { privacyStatus: 'private' }],
  ['made for kids', { madeForKids: true }],
])('a video that is %s takes no comment', async (_, youtube) => {
  const draft = await draftOf('youtube')
  const body = { socialAccountIds: [accounts.get('youtube') ?? ''], ...draft, firstComment: { text: 'x' } }
  const check = async (block: object) =>
    (await kit.api.posts.validate({ body: { ...body, metadata: { youtube: block } } })).issues
  expect(await check(youtube)).toMatchObject([{ code: 'first_comment_not_supported', field: 'firstComment' }])
  expect(await check({ privacyStatus: 'unlisted', madeForKids: false })).toEqual([])
})

test('every platform says whether it takes comments', () => {
  for (const id of platformIds) {
    expect(adapterOf(id).commentCalls !== undefined, id).toBe(definitionOf(id).comment !== undefined)
  }
})

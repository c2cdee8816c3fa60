import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { refused } from '../../net/refused.ts'
import { connectOn } from '../../support/connect.ts'
import { type ImportFixture, startImportFixture } from './origin.ts'

let fixture: ImportFixture
beforeAll(async () => {
  fixture = await startImportFixture()
})
afterAll(() => fixture.close())

const validate = (mediaUrls: string[], more: object = {}) => {
  const { api, accounts } = fixture.kit
  return api.posts.validate({ body: { socialAccountIds: [accounts.bluesky], content: 'Hi', mediaUrls, ...more } })
}

const isScheme = (address: string) => /^[a-z][a-z0-9+.-]*:/i.test(address)

test.each(
  Object.entries(refused).map(([why, all]) => [why, all.filter(isScheme)] as const),
)('an address that %s is refused with the field, the rule, and the fix', async (why, addresses) => {
  for (const address of addresses) {
    const { issues } = await validate(['https://example.com/a.jpg', address])
    const invalid = issues.filter(({ code }) => code === 'media_url_invalid')
    expect(invalid, address).toMatchObject([
      { field: 'mediaUrls[1]', next: expect.stringContaining('upload the file') },
    ])
    expect(
      [why, 'not a plain URL'].some((reason) => invalid[0]?.message.includes(reason)),
      invalid[0]?.message,
    ).toBe(true)
  }
  expect(fixture.requested).toEqual([])
})

test('validate accepts public addresses, counts them by the rules of the platform, and fetches nothing', async () => {
  const url = (n: number) => `https://example.com/${n}.jpg`
  expect(await validate([url(1), url(2)])).toMatchObject({ valid: true, issues: [], warnings: [] })
  const many = Array.from({ length: 11 }, (_, n) => url(n % 5))
  expect((await validate(many)).issues).toMatchObject([{ code: 'media_count', field: 'mediaUrls' }])
  const tooMany = Array.from({ length: 11 }, (_, n) => url(n))
  const { issues } = await validate([], { platformMedia: { slack: tooMany } })
  expect(issues).toMatchObject([{ code: 'media_url_invalid', message: 'The request has 11 addresses.' }])
  expect((await validate([], { platformMedia: { x: ['http://example.com'] } })).issues).toMatchObject([
    { code: 'media_url_invalid', field: 'platformMedia.x[0]' },
  ])
})

test('a refused address is a 400, and nothing is stored', async () => {
  const { kit } = fixture
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Hi', mediaUrls: ['http://example.com/a.jpg'] }
  await expect(kit.api.posts.publishNow({ body })).rejects.toMatchObject({ status: 400, code: 'media_url_invalid' })
  expect((await kit.api.posts.list()).items).toEqual([])
})

test('a URL of the service itself names a file of the workspace, or nothing', async () => {
  const { issues } = await validate([`${fixture.kit.ctx.env('MEDIA_URL')}/media/uploads/ws_1/med_1.jpg`])
  expect(issues).toMatchObject([{ code: 'media_not_found' }])
})

test('a draft takes no address, and says what to do', async () => {
  const body = { content: 'Hi', mediaUrls: ['https://example.com/a.jpg'] }
  await expect(fixture.kit.api.drafts.create({ body })).rejects.toMatchObject({
    status: 404,
    code: 'media_not_found',
    message: expect.stringContaining('when you schedule'),
  })
})

test('a thread takes addresses, at most ten of them', async () => {
  const { kit, origin } = fixture
  const x = await connectOn(kit, 'x')
  const tweets = ['One', 'Two'].map((content) => ({ content, mediaUrls: [`${origin}/thread.png`] }))
  const { postIds } = await kit.api.posts.publishThreadNow({ body: { socialAccountId: x, tweets } })
  await kit.service.drain()
  for (const id of postIds) {
    expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published', error: null })
  }
  expect(kit.platforms.published().map(({ text, media }) => [text, media.length])).toEqual([
    ['One', 1],
    ['Two', 1],
  ])
  const many = [0, 1, 2].map((n) => ({ content: 'x', mediaUrls: [0, 1, 2, 3].map((m) => `${origin}/${n}${m}.png`) }))
  await expect(kit.api.posts.publishThreadNow({ body: { socialAccountId: x, tweets: many } })).rejects.toMatchObject({
    code: 'media_url_invalid',
  })
})

test('imports of another workspace are invisible', async () => {
  const { kit, origin } = fixture
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Ours', mediaUrls: [`${origin}/ours.png`] }
  const [post] = await kit.api.posts.publishNow({ body })
  await kit.service.drain()
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Other', timezone: 'UTC' } })
  const other = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  await expect(other.media.get({ params: { id: post?.mediaUrls[0] ?? '' } })).rejects.toMatchObject({ status: 404 })
})

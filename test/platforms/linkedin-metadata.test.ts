import { expect, test } from 'vitest'
import type { CheckedPost } from '../../shared/platforms/definition.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { visitLinkedIn } from './linkedin-visit.ts'
import { failureOf, png } from './site.ts'

const { site, platforms, sentTo, open, openPage, commit, through } = await visitLinkedIn()

/** The body of the publishing call of a post, and what came of it. */
const publish = async (metadata: object, post: Partial<OutgoingPost> = {}) => {
  const call = await open({ metadata, ...post })
  const landed = await commit(call, (await through(call)).ready)
  return { ...JSON.parse(String(sentTo('create').at(-1)?.body)), url: landed.url }
}
const check = (metadata: object, more: Partial<CheckedPost> = {}) =>
  checkPost(linkedin, { socialAccountId: 'acc', content: 'Hi', metadata, media: [], ...more })
const codes = (...given: Parameters<typeof check>) => check(...given).map(({ code }) => code)

test('a post is for everyone, or for the connections of a member', async () => {
  expect(await publish({})).toMatchObject({ visibility: 'PUBLIC' })
  expect(await publish({ visibility: 'CONNECTIONS' }, { text: 'Among us' })).toMatchObject({
    visibility: 'CONNECTIONS',
  })
  for (const wrong of ['LOGGED_IN', 'public', 7]) expect(codes({ visibility: wrong })).toEqual(['metadata_invalid'])
})

test('a post of a Page is public', async () => {
  const [person, page] = ['urn:li:person:782bbtaQ', 'urn:li:organization:5515715']
  for (const externalId of [person, page]) expect(codes({ visibility: 'PUBLIC' }, { externalId })).toEqual([])
  expect(codes({ visibility: 'CONNECTIONS' }, { externalId: person })).toEqual([])
  expect(check({ visibility: 'CONNECTIONS' }, { externalId: page })).toMatchObject([
    { code: 'metadata_invalid', field: 'metadata.linkedin.visibility', next: expect.stringContaining('Send PUBLIC') },
  ])
  const call = await openPage({ metadata: { visibility: 'CONNECTIONS' } })
  expect(await failureOf(commit(call, (await through(call)).ready))).toMatchObject({ errorClass: 'invalid' })
})

test('a post is reshared below a text', async () => {
  const first = await publish({}, { text: 'The first' })
  const reshareUrn = /urn:li:share:\d+/.exec(first.url)?.[0]
  const sent = await publish({ reshareUrn }, { text: 'Worth a look' })
  expect(sent).toMatchObject({ commentary: 'Worth a look', reshareContext: { parent: reshareUrn } })
  expect(sent).not.toHaveProperty('content')
})

test('a reshared post that is gone fails with LinkedIn’s message', async () => {
  const call = await open({ metadata: { reshareUrn: 'urn:li:share:404' } })
  expect(await failureOf(commit(call, (await through(call)).ready))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('urn:li:share:404 is no post'),
  })
})

test('a reshare names a post, and has no files', () => {
  for (const reshareUrn of ['urn:li:share:1', 'urn:li:ugcPost:7130000000000000001']) {
    expect(codes({ reshareUrn })).toEqual([])
    expect(check({ reshareUrn }, { media: [anyPicture()] })).toMatchObject([
      {
        code: 'metadata_invalid',
        field: 'metadata.linkedin.reshareUrn',
        message: 'LinkedIn: "metadata.linkedin.reshareUrn" cannot be beside files.',
      },
    ])
  }
  for (const reshareUrn of [
    '1',
    'urn:li:activity:1',
    'urn:li:share:',
    'urn:li:share:1 ',
    'https://www.linkedin.com',
    7,
  ]) {
    expect(codes({ reshareUrn })).toEqual(['metadata_invalid'])
  }
})

const poll = { question: 'Rye or wheat?', options: ['Rye', 'Wheat'], duration: 'THREE_DAYS' }

test('a poll stands below the text', async () => {
  const { content } = await publish({ poll }, { text: 'Tell us' })
  expect(content).toEqual({
    poll: {
      question: 'Rye or wheat?',
      options: [{ text: 'Rye' }, { text: 'Wheat' }],
      settings: { duration: 'THREE_DAYS' },
    },
  })
  expect(platforms.published()).toMatchObject([{ text: 'Tell us\nRye or wheat?\n( ) Rye\n( ) Wheat' }])
})

test('a poll has a question of 140 characters, and 2 to 4 answers of 30', () => {
  const codesFor = (more: object) => codes({ poll: { ...poll, ...more } })
  const bounded = (count: number, of: (n: number) => object) =>
    [count - 1, count, count + 1].map((n) => codesFor(of(n)))
  const invalid = ['metadata_invalid']
  expect(bounded(140, (n) => ({ question: 'x'.repeat(n) }))).toEqual([[], [], invalid])
  expect(bounded(30, (n) => ({ options: ['x'.repeat(n), 'y'] }))).toEqual([[], [], invalid])
  expect(bounded(2, (n) => ({ options: Array.from({ length: n }, String) }))).toEqual([invalid, [], []])
  expect(bounded(4, (n) => ({ options: Array.from({ length: n }, String) }))).toEqual([[], [], invalid])
  for (const duration of ['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'])
    expect(codesFor({ duration })).toEqual([])
  for (const wrong of [{ duration: 'ONE_YEAR' }, { duration: undefined }, { question: ' ' }, { options: ['a', ''] }]) {
    expect(codesFor(wrong)).toEqual(invalid)
  }
  expect(codes({ poll }, { media: [anyPicture()] })).toEqual(invalid)
  expect(codes({ poll, reshareUrn: 'urn:li:share:1' })).toEqual(invalid)
})

const article = { url: 'https://bakery.example/rye?a=1#b', title: 'Rye (again)', description: 'From flour to loaf' }

test('an article is a card of a link, with an image that is uploaded before', async () => {
  const thumbnail = await site.file()
  const assets = { 'article.thumbnailMediaAssetId': thumbnail }
  const metadata = { article: { ...article, thumbnailMediaAssetId: thumbnail.id } }
  const { content } = await publish(metadata, { text: 'Read this', assets })
  expect(content).toEqual({
    article: {
      source: 'https://bakery.example/rye?a=1#b',
      title: 'Rye (again)',
      description: 'From flour to loaf',
      thumbnail: expect.stringMatching(/^urn:li:image:/),
    },
  })
  expect(sentTo('init')).toMatchObject([{ path: '/rest/images' }])
  const [shown] = platforms.published()
  expect(shown?.text).toBe('Read this\nRye (again)\nFrom flour to loaf\nhttps://bakery.example/rye?a=1#b')
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer()).equals(png)).toBe(true)
})

test('an article needs no image and no description, and uploads nothing then', async () => {
  const { url, title } = article
  const { content } = await publish({ article: { url, title } }, { text: 'Read that' })
  expect(content).toEqual({ article: { source: url, title } })
  expect(sentTo('init')).toEqual([])
})

test('an article has a URL of the web, and bounded texts', () => {
  const card = (more: object) => codes({ article: { ...article, ...more } })
  const bounded = (count: number, of: (n: number) => object) => [count - 1, count, count + 1].map((n) => card(of(n)))
  const invalid = ['metadata_invalid']
  expect(bounded(200, (n) => ({ title: 'x'.repeat(n) }))).toEqual([[], [], invalid])
  expect(bounded(256, (n) => ({ description: 'x'.repeat(n) }))).toEqual([[], [], invalid])
  expect(bounded(2048, (n) => ({ url: 'https://a.test/'.padEnd(n, 'x') }))).toEqual([[], [], invalid])
  for (const url of ['', 'bakery', 'ftp://a.test', 'javascript:alert(1)', undefined])
    expect(card({ url })).toEqual(invalid)
  for (const title of ['', ' ', undefined]) expect(card({ title })).toEqual(invalid)
  expect(codes({ article }, { media: [anyPicture()] })).toEqual(invalid)
  expect(codes({ article, poll })).toEqual(invalid)
})

test('the image of an article is an image', () => {
  const field = 'article.thumbnailMediaAssetId'
  const asset = (file: ReturnType<typeof anyPicture>) => check({ article }, { assets: { [field]: file } })
  expect([49_999_999, 50_000_000].map((fileSize) => asset(anyPicture({ fileSize })))).toEqual([[], []])
  expect(asset(anyPicture({ fileSize: 50_000_001 }))).toMatchObject([
    { code: 'media_size', field: `metadata.linkedin.${field}` },
  ])
  expect(asset(anyVideo())).toMatchObject([{ code: 'media_type', field: `metadata.linkedin.${field}` }])
})

const mill = { name: 'The Mill', organizationUrn: 'urn:li:organization:5515715' }

test('the organizations that an author names are mentioned, and nothing else is', async () => {
  const { commentary } = await publish({ mentions: [mill] }, { text: 'Flour of @The Mill, thanks @ada' })
  expect(commentary).toBe('Flour of @[The Mill](urn:li:organization:5515715), thanks \\@ada')
  expect(platforms.published()).toMatchObject([{ text: 'Flour of The Mill, thanks @ada' }])
})

test('a mention names an organization that the text has', () => {
  const content = 'Flour of @The Mill'
  const mentioned = (...mentions: object[]) => codes({ mentions }, { content })
  expect(mentioned(mill)).toEqual([])
  expect(check({ mentions: [mill] }, { content: 'Flour of The Mill' })).toMatchObject([
    {
      code: 'metadata_invalid',
      field: 'metadata.linkedin.mentions[0].name',
      next: expect.stringContaining('@The Mill'),
    },
  ])
  const invalid = ['metadata_invalid']
  expect(codes({ mentions: [mill] }, { content: 'Flour of @The Millers' })).toEqual(invalid)
  expect([19, 20, 21].map((n) => mentioned(...Array.from({ length: n }, () => mill)))).toEqual([[], [], invalid])
  const named = (length: number) => {
    const name = 'x'.repeat(length)
    return codes({ mentions: [{ ...mill, name }] }, { content: `@${name}` })
  }
  expect([99, 100, 101].map(named)).toEqual([[], [], invalid])
  for (const organizationUrn of ['5515715', 'urn:li:person:1', 'urn:li:organization:', 'urn:li:organization:1)', 7]) {
    expect(mentioned({ ...mill, organizationUrn })).toEqual(invalid)
  }
  for (const name of ['', ' ', 'The\nMill', undefined]) expect(mentioned({ ...mill, name })).toEqual(invalid)
})

test('a name that the text has only within an address or a longer name is no mention', () => {
  const the = { name: 'The', organizationUrn: 'urn:li:organization:8' }
  const fields = (mentions: object[], content: string) => check({ mentions }, { content }).map(({ field }) => field)
  expect(fields([the], 'https://a.test/@The')).toEqual(['metadata.linkedin.mentions[0].name'])
  expect(fields([mill, the], 'Flour of @The Mill')).toEqual(['metadata.linkedin.mentions[1].name'])
  expect(fields([mill, the], '@The flour of @The Mill')).toEqual([])
})

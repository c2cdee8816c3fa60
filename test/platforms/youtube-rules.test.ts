import { expect, test } from 'vitest'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { youtube as connector } from '../../shared/platforms/youtube/connect.ts'
import { definition } from '../../shared/platforms/youtube/definition.ts'
import { youtube } from '../../shared/platforms/youtube/publish.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { visit } from './visit.ts'

const { site, platforms, open } = await visit(youtube, connector)

const issues = (post: object) =>
  checkPost(definition, { socialAccountId: 'acc_1', content: 'Hi', metadata: undefined, media: [anyVideo()], ...post })
const messages = (post: object) => issues(post).map(({ code, message }) => `${code}: ${message}`)
const codes = (post: object) => issues(post).map(({ code }) => code)

test.each([
  ['letters', 'x', 5000, ['5001/5000 characters.', '5001/5000 bytes.']],
  ['umlauts', 'ü', 2500, ['5002/5000 bytes.']],
  ['CJK', '漢', 1666, ['5001/5000 bytes.']],
  ['emoji', '😀', 1250, ['5004/5000 bytes.']],
  ['families', '👨‍👩‍👧‍👦', 200, ['5025/5000 bytes.']],
  ['combining marks', 'e\u0301', 1666, ['5001/5000 bytes.']],
])('the text in %s: one below, at and above the limit', (_, letter, limit, over) => {
  expect(codes({ content: letter.repeat(limit - 1) })).toEqual([])
  expect(codes({ content: letter.repeat(limit) })).toEqual([])
  expect(messages({ content: letter.repeat(limit + 1) })).toEqual(
    over.map((reason) => `content_length: YouTube: ${reason}`),
  )
})

test.each([
  ['letters', 'x'],
  ['CJK', '漢'],
  ['emoji', '😀'],
])('the title in %s: one below, at and above the limit', (_, letter) => {
  const title = (n: number) => ({ metadata: { title: letter.repeat(n) } })
  expect(codes(title(99))).toEqual([])
  expect(codes(title(100))).toEqual([])
  expect(messages(title(101))).toEqual(['metadata_invalid: YouTube: "metadata.youtube.title" has 101/100 characters.'])
})

test('tags have 500 characters together, with their commas and quotation marks', () => {
  const tags = (...lengths: number[]) => ({ metadata: { tags: lengths.map((n) => 'x'.repeat(n)) } })
  expect(codes(tags(500))).toEqual([])
  expect(codes(tags(250, 249))).toEqual([])
  expect(messages(tags(250, 250))).toEqual([
    'metadata_invalid: YouTube: "metadata.youtube.tags" has 501/500 characters.',
  ])
  expect(codes({ metadata: { tags: [`a ${'x'.repeat(496)}`] } })).toEqual([])
  expect(codes({ metadata: { tags: [`a ${'x'.repeat(497)}`] } })).toEqual(['metadata_invalid'])
})

test('rejects angle brackets where YouTube does', () => {
  for (const bad of ['a < b', 'a > b']) {
    expect(issues({ content: bad })).toMatchObject([
      {
        code: 'content_invalid',
        message: 'YouTube: the text contains < or >.',
        next: expect.stringMatching(/^Remove/),
      },
    ])
    expect(codes({ metadata: { title: bad } })).toEqual(['metadata_invalid'])
  }
})

test.each([
  ['fileSize', [1_073_741_823, 1_073_741_824], [1_073_741_825], 'media_size'],
  ['durationMs', [43_199_999, 43_200_000], [43_200_001], 'media_duration'],
])('%s at its bounds', (field, good, bad, code) => {
  for (const value of good) expect(codes({ media: [anyVideo({ [field]: value })] })).toEqual([])
  for (const value of bad) expect(codes({ media: [anyVideo({ [field]: value })] })).toEqual([code])
})

test('a thumbnail is an image of at most 50 MB, which is converted', () => {
  const of = (file: object) => codes({ assets: { thumbnailMediaAssetId: anyPicture(file) } })
  for (const mimeType of ['image/jpeg', 'image/png', 'image/webp', 'image/gif']) expect(of({ mimeType })).toEqual([])
  expect(of({ mimeType: 'video/mp4' })).toEqual(['media_type'])
  for (const fileSize of [49_999_999, 50_000_000]) expect(of({ fileSize })).toEqual([])
  expect(of({ fileSize: 50_000_001 })).toEqual(['media_size'])
  expect(definition.rules.assetFields.thumbnailMediaAssetId.sent).toEqual({
    types: ['image/jpeg', 'image/png'],
    maxBytes: 50_000_000,
  })
  expect(codes({ metadata: { thumbnailMediaAssetId: 7 } })).toEqual(['metadata_invalid'])
})

test('requires exactly one video; metadata is optional and validated', () => {
  expect(codes({ media: [] })).toEqual(['media_count'])
  expect(codes({ media: [anyVideo(), anyVideo()] })).toEqual(['media_count'])
  expect(codes({ media: [anyVideo({ mimeType: 'image/gif' })] })).toEqual(['media_type'])
  expect(codes({ content: '' })).toEqual([])
  const playlistId = 'PL12345678'
  const good = { privacyStatus: 'private', categoryId: '10', madeForKids: false, notifySubscribers: true, playlistId }
  expect(codes({ metadata: good })).toEqual([])
  const labels = { containsSyntheticMedia: false, hasPaidProductPlacement: true, defaultLanguage: 'zh-Hant-TW' }
  expect(codes({ metadata: labels })).toEqual([])
  for (const bad of [
    { title: ' ' },
    { privacyStatus: 'friends' },
    { tags: 'fun' },
    { tags: [''] },
    { categoryId: 22 },
    { playlistId: 'PL1234567' },
    { playlistId: 'P'.repeat(65) },
    { playlistId: 'https://www.youtube.com/playlist?list=PLdemo' },
    { categoryId: 'Music' },
    { madeForKids: 'no' },
    { notifySubscribers: 0 },
    { containsSyntheticMedia: 'yes' },
    { hasPaidProductPlacement: 1 },
    { defaultLanguage: 'english' },
    { defaultLanguage: 'en_US' },
  ]) {
    expect(codes({ metadata: bad })).toEqual(['metadata_invalid'])
  }
})

test('the stand-in rejects what YouTube rejects', async () => {
  const { account } = await open()
  const authorization = `Bearer ${account.credentials['accessToken']}`
  const start = async (snippet: object, headers: Record<string, string> = {}, status: object = {}) => {
    const answer = await fetch(
      `${platforms.urls['youtube']}/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status`,
      {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json; charset=UTF-8',
          'x-upload-content-length': '600000',
          'x-upload-content-type': 'video/mp4',
          ...headers,
        },
        body: JSON.stringify({
          snippet: { title: 't', categoryId: '22', ...snippet },
          status: { privacyStatus: 'public', ...status },
        }),
      },
    )
    return [answer.status, answer.headers.get('location') ?? ''] as const
  }
  const [status, session] = await start({})
  expect(status).toBe(200)
  for (const bad of [
    { title: '' },
    { title: 'x'.repeat(101) },
    { description: '<b>' },
    { categoryId: '99' },
    { a: 1 },
  ]) {
    expect((await start(bad))[0]).toBe(400)
  }
  expect((await start({}, { 'x-upload-content-length': '' }))[0]).toBe(400)
  expect((await start({}, {}, { privacyStatus: 'friends' }))[0]).toBe(400)
  const put = async (range: string, bytes: number) => {
    const headers = { authorization, 'content-type': 'video/mp4', 'content-range': range }
    const answer = await fetch(session, { method: 'PUT', headers, body: Buffer.alloc(bytes), redirect: 'manual' })
    return [answer.status, answer.headers.get('range')]
  }
  expect(await put('bytes 0-99/600000', 100)).toEqual([400, null])
  expect(await put('bytes 262144-524287/600000', 262_144)).toEqual([400, null])
  expect(await put('bytes 0-262143/600000', 262_144)).toEqual([308, 'bytes=0-262143'])
  expect(await put('bytes 0-262143/600000', 262_144)).toEqual([400, null])
  site.pass(7 * 86_400_000)
  expect((await put('bytes */600000', 0))[0]).toBe(401)
})

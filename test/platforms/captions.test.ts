import { afterAll, beforeEach, expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { inFormat } from '../../shared/media/captions.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { adapterOf, clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { connectorOf } from '../../shared/platforms/connectors.ts'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { srt, vtt } from '../media/captions.ts'
import { anyVideo } from './any-file.ts'
import { authorize } from './arrive.ts'
import { login } from './bluesky-visit.ts'
import { accountOf, failureOf, startSite } from './site.ts'
import { clip } from './visit.ts'

const site = await startSite()
const { platforms } = site
beforeEach(() => platforms.reset())
afterAll(() => site.close())

type Platform = 'x' | 'bluesky' | 'youtube' | 'facebook'

const tracks = { vtt: ['text/vtt', vtt], srt: ['application/x-subrip', srt] } as const
const caption = (format: keyof typeof tracks) => {
  const [mimeType, text] = tracks[format]
  return site.file({ mimeType, originalFilename: `captions.${format}` }, Buffer.from(text))
}

/** A post with a video and captions in a format. */
const open = async (
  platform: Platform,
  formats: readonly (keyof typeof tracks)[],
  block: { captions: readonly object[] } & Record<string, unknown>,
) => {
  const ctx = site.ctx()
  const connection = platform === 'bluesky' ? connect(ctx, login()) : authorize(ctx, connectorOf(platform))
  const account = accountOf(await connection)
  const files = await Promise.all(formats.map(caption))
  const assets = Object.fromEntries(files.map((file, n) => [`captions.${n}.mediaAssetId`, file]))
  const metadata = {
    ...block,
    captions: block.captions.map((caption, n) => ({ mediaAssetId: files[n]?.id, ...caption })),
  }
  const media = [await site.file({ mimeType: 'video/mp4', originalFilename: 'clip.mp4', durationMs: 5000 }, clip)]
  return { ctx, account, post: site.post({ media, metadata, assets }) }
}

const prepared = async (platform: Platform, call: PlatformCall) => {
  const { prepare } = adapterOf(platform)
  let done = await prepare?.(call, undefined)
  for (let step = 0; done && 'resume' in done && step < 60; step += 1) {
    site.pass(done.waitSeconds * 1000)
    done = await prepare?.(call, JSON.parse(JSON.stringify(done.resume)))
  }
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}

const publish = async (platform: Platform, call: PlatformCall) => {
  const adapter = adapterOf(platform)
  const ready = await prepared(platform, call)
  return adapter.commit(call, ready, clientKeyOf(adapter, call.post), await adapter.build?.(call, ready))
}

const sentTo = (operation: string) => platforms.calls().filter((call) => call.operation === operation)
const shown = () => platforms.published().map(({ extras }) => extras)

test('X: the file goes up as subtitles in its format, and is joined with the video before the post', async () => {
  for (const format of ['vtt', 'srt'] as const) {
    const call = await open('x', [format], { captions: [{ language: 'en' }] })
    await publish('x', call)
    const bytes = Buffer.byteLength(tracks[format][1])
    expect(JSON.parse(String(sentTo('upload').at(-1)?.body))).toEqual({
      media_type: `text/${format}`,
      total_bytes: bytes,
      media_category: 'subtitles',
    })
    const [video, file] = platforms
      .calls()
      .filter(({ operation }) => operation === 'finalize')
      .map(({ path }) => path)
    const idOf = (path = '') => path.split('/').at(-2)
    const [joined] = sentTo('subtitles')
    expect([joined?.method, joined?.path]).toEqual(['POST', '/2/media/subtitles'])
    expect(JSON.parse(String(joined?.body))).toEqual({
      id: idOf(video),
      media_category: 'TweetVideo',
      subtitles: { id: idOf(file), display_name: 'English', language_code: 'EN' },
    })
    expect(
      platforms
        .calls()
        .map(({ operation }) => operation)
        .slice(-2),
    ).toEqual(['subtitles', 'create'])
    expect(shown()).toEqual([['captions: English (EN)']])
    platforms.reset()
  }
})

test('Bluesky: captions are WebVTT blobs of the video, in their order', async () => {
  const captions = [{ language: 'en' }, { language: 'pt-BR' }]
  await publish('bluesky', await open('bluesky', ['srt', 'vtt'], { captions }))
  const uploads = sentTo('upload').filter(({ headers }) => headers['content-type'] === 'text/vtt')
  expect(uploads.map(({ body }) => String(body)).toSorted()).toEqual([inFormat(srt, 'vtt'), vtt].toSorted())
  const { record } = JSON.parse(String(sentTo('create')[0]?.body))
  const file = { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'text/vtt', size: expect.any(Number) }
  expect(record.embed).toMatchObject({
    $type: 'app.bsky.embed.video',
    captions: [
      { lang: 'en', file: { ...file, size: Buffer.byteLength(inFormat(srt, 'vtt')) } },
      { lang: 'pt-BR', file: { ...file, size: Buffer.byteLength(vtt) } },
    ],
  })
  expect(shown()).toEqual([['captions: en, pt-BR']])
})

test('YouTube: each track is inserted right after the video is live, and once after a lost response', async () => {
  const captions = [{ language: 'en', name: 'With jokes' }, { language: 'de' }]
  const call = await open('youtube', ['vtt', 'srt'], { captions })
  platforms.faults.add({ platform: 'youtube', operation: 'captions', times: 1, fault: 'landed_then_reset' })
  const ready = await prepared('youtube', call)
  expect(sentTo('captions')).toEqual([])
  const adapter = adapterOf('youtube')
  const built = await adapter.build?.(call, ready)
  const { id, warning } = await adapter.commit(call, ready, 'key', built)
  expect(warning).toMatch(/^The captions in (?:en|de) were not added: /)
  expect(await adapter.commit(call, ready, 'key', built)).not.toHaveProperty('warning')
  expect(shown()).toEqual([expect.arrayContaining(['captions: With jokes (en)', 'captions: German (de)'])])
  const [sent] = sentTo('captions').filter(({ body }) => String(body).includes('With jokes'))
  expect([sent?.path, sent?.query]).toEqual(['/upload/youtube/v3/captions', 'uploadType=multipart&part=snippet'])
  expect(sent?.headers['content-type']).toMatch(/^multipart\/related; boundary=/)
  const [, json = '', file = ''] = String(sent?.body).split(/--part-\w+(?:--)?\r\n/)
  expect(JSON.parse(json.split('\r\n\r\n')[1] ?? '')).toEqual({
    snippet: { videoId: id, language: 'en', name: 'With jokes', isDraft: false },
  })
  expect(file).toBe(`content-type: application/octet-stream\r\n\r\n${vtt}\r\n`)
})

test('YouTube: the video is live in spite of captions that are refused, and the warning says why', async () => {
  const call = await open('youtube', ['vtt'], { captions: [{ language: 'en' }] })
  const body = { error: { code: 403, message: 'their words', errors: [{ reason: 'insufficientPermissions' }] } }
  platforms.faults.add({ platform: 'youtube', operation: 'captions', times: 1, fault: 'status', status: 403, body })
  const { id, warning } = await publish('youtube', call)
  expect([typeof id, warning]).toEqual(['string', expect.stringContaining('Reconnect the account')])
})

test.each([
  'video',
  'reel',
])('Facebook: a %s gets SubRip files named for their locale before it is live', async (format) => {
  const captions = [{ language: 'en-US' }, { language: 'pt-BR' }]
  const call = await open('facebook', ['vtt', 'srt'], { format, captions })
  await publish('facebook', call)
  const sent = sentTo('captions')
  expect(sent.map(({ method, query }) => [method, [...new URLSearchParams(query).keys()].toSorted()])).toEqual([
    ['POST', ['access_token', 'appsecret_proof']],
    ['POST', ['access_token', 'appsecret_proof']],
  ])
  const parts = sent.flatMap(({ headers, body }) => parseMultipart(headers['content-type'] ?? '', body))
  expect(parts.map(({ name, filename, bytes }) => [name, filename, String(bytes)])).toEqual([
    ['captions_file', 'captions.en_US.srt', srt],
    ['captions_file', 'captions.pt_BR.srt', srt],
  ])
  const operations = platforms.calls().map(({ operation }) => operation)
  expect(operations.lastIndexOf('captions')).toBeLessThan(operations.lastIndexOf('create'))
  expect(shown()).toEqual([['captions: en_US', 'captions: pt_BR']])
})

test.each(['x', 'facebook'] as const)('%s: captions that are refused keep the post back', async (platform) => {
  const language = platform === 'x' ? 'en' : 'en-US'
  const call = await open(platform, ['srt'], { format: 'video', captions: [{ language }] })
  const operation = platform === 'x' ? 'subtitles' : 'captions'
  const body = { error: { code: 387, message: 'There was a problem uploading your captions file.' } }
  platforms.faults.add({ platform, operation, times: 1, fault: 'status', status: 400, body })
  expect(await failureOf(prepared(platform, call))).toMatchObject({ errorClass: 'invalid' })
  expect(platforms.published()).toEqual([])
})

const issuesOf = (platform: Platform, block: object, more: Partial<Parameters<typeof checkPost>[1]> = {}) =>
  checkPost(definitionOf(platform), {
    socialAccountId: 'acc_1',
    tier: undefined,
    content: 'Bread',
    metadata: block,
    media: [anyVideo()],
    ...more,
  }).map(({ code, field }) => [code, field])

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ mediaAssetId: 'med_1', language: `${String.fromCharCode(97 + n)}a` }))

test.each([
  ['x', 1],
  ['bluesky', 20],
  ['youtube', 5],
] as const)('%s takes %i tracks, each language once', (platform, max) => {
  const wrong = [['metadata_invalid', `metadata.${platform}.captions`]]
  expect(issuesOf(platform, { captions: many(max) })).toEqual([])
  expect(issuesOf(platform, { captions: many(max + 1) })).toEqual(wrong)
  expect(issuesOf(platform, { captions: [] })).toEqual(wrong)
  if (max > 1) expect(issuesOf(platform, { captions: [...many(1), ...many(1)] })).toEqual(wrong)
  const [first] = many(1)
  expect(issuesOf(platform, { captions: [{ ...first, name: 'n'.repeat(150) }] })).toEqual([])
  expect(issuesOf(platform, { captions: [{ ...first, name: 'n'.repeat(151) }] })).not.toEqual([])
  expect(issuesOf(platform, { captions: [{ ...first, language: 'english' }] })).not.toEqual([])
})

test.each([
  ['x', 1_000_000],
  ['bluesky', 19_990],
] as const)('%s takes caption files of %i bytes, and no other files', (platform, max) => {
  const block = { captions: many(1) }
  const issues = (fileSize: number, mimeType = 'text/vtt') => {
    const file = { ...anyVideo(), mimeType, fileSize, width: undefined, height: undefined, durationMs: undefined }
    const { width, height, durationMs, ...bare } = file
    return issuesOf(platform, block, { assets: { 'captions.0.mediaAssetId': bare } })
  }
  const field = `metadata.${platform}.captions.0.mediaAssetId`
  expect([issues(max), issues(max + 1)]).toEqual([[], [['media_size', field]]])
  expect(issues(10, 'application/x-subrip')).toEqual([])
  expect(issues(10, 'image/png')).toEqual([['media_type', field]])
})

test('captions accompany a video, in a language that the platform can name', () => {
  for (const platform of ['x', 'bluesky'] as const) {
    expect(issuesOf(platform, { captions: many(1) }, { media: [] })).toEqual([
      ['metadata_invalid', `metadata.${platform}.captions`],
    ])
  }
  const language = (platform: Platform, tag: string, format = 'video') =>
    issuesOf(platform, { format, captions: [{ mediaAssetId: 'med_1', language: tag }] })
  expect([language('x', 'en'), language('facebook', 'en-US')]).toEqual([[], []])
  expect(language('x', 'en-US')).toEqual([['metadata_invalid', 'metadata.x.captions.0.language']])
  expect(language('facebook', 'en')).toEqual([['metadata_invalid', 'metadata.facebook.captions.0.language']])
  const stories = issuesOf('facebook', { format: 'video_story', captions: many(1) }, { content: '' })
  expect(stories).toContainEqual(['metadata_invalid', 'metadata.facebook.captions'])
})

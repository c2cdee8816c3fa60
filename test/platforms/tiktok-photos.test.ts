import { expect, test } from 'vitest'
import { tiktokSeed } from '../../infra/local/platforms/tiktok.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { definition } from '../../shared/platforms/tiktok/definition.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { gif, jpeg } from '../media/files.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { site, platforms, operations, sentTo, fault, anew, prepared, commit, probe, ...own } = await visit(
  tiktok,
  connector,
)

const photo = () => site.file({ mimeType: 'image/jpeg' }, jpeg(40, 30))
const addressOf = ({ storageKey }: MediaFile) => `${site.ctx().env('MEDIA_URL')}/${storageKey}`
const open = async (metadata: object = {}, post: Partial<OutgoingPost> = {}, person?: string) => {
  const block = { format: 'photo', privacyLevel: 'PUBLIC_TO_EVERYONE', ...metadata }
  return own.open(
    { text: 'Two loaves #bread', media: [await photo(), await photo()], metadata: block, ...post },
    person,
  )
}
const body = () => JSON.parse(String(sentTo('create').at(-1)?.body))

test('photos are published by one call, which names their addresses', async () => {
  const call = await open({ photoTitle: 'Loaves', photoCoverIndex: 1, disableComment: false, brandOrganicToggle: true })
  const { ready, expiresAtMs } = await prepared(call)
  expect(operations().at(-1)).toBe('creator')
  expect(expiresAtMs).toBe(site.now() + 55 * 60_000)
  const error = await failureOf(commit(call, ready))
  expect(error).toMatchObject({ errorClass: 'unknown', info: { ref: { publishId: expect.any(String) } } })
  const [sent] = sentTo('create')
  expect(sent).toMatchObject({
    method: 'POST',
    path: '/v2/post/publish/content/init/',
    status: 200,
    headers: {
      authorization: `Bearer ${call.account.credentials['accessToken']}`,
      'content-type': 'application/json; charset=UTF-8',
    },
  })
  expect(body()).toEqual({
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: {
      title: 'Loaves',
      description: 'Two loaves #bread',
      privacy_level: 'PUBLIC_TO_EVERYONE',
      disable_comment: false,
      brand_content_toggle: false,
      brand_organic_toggle: true,
    },
    source_info: {
      source: 'PULL_FROM_URL',
      photo_images: call.post.media.map(addressOf),
      photo_cover_index: 1,
    },
  })
  const ref = JSON.parse(JSON.stringify(error.info.ref))
  expect(await probe(call, ref)).toEqual({ kind: 'unclear' })
  site.pass(5000)
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: '@demo.creator', text: 'Loaves\n\nTwo loaves #bread' })
  expect(shown?.media).toHaveLength(2)
  expect(shown?.url).toMatch(/^https:\/\/www\.tiktok\.com\/@demo\.creator\/photo\/74\d{17}$/)
  expect(await probe(call, ref)).toMatchObject({ kind: 'published', url: shown?.url })
  expect(sentTo('create')).toHaveLength(1)
})

test('without more, photos have no title and the first one as their cover', async () => {
  const call = await open({ privacyLevel: 'SELF_ONLY' }, {}, tiktokSeed.shy.id)
  await failureOf(commit(call, (await prepared(call)).ready))
  expect(body().post_info).toEqual({
    description: 'Two loaves #bread',
    privacy_level: 'SELF_ONLY',
    disable_comment: true,
    brand_content_toggle: false,
    brand_organic_toggle: false,
  })
  expect(body().source_info.photo_cover_index).toBe(0)
})

test.each([
  ['landed, then reset', { fault: 'landed_then_reset' }],
  ['reset before a byte was read', { fault: 'reset_before' }],
  ['500', { fault: 'status', status: 500 }],
  ['another shape', { fault: 'wrong_json' }],
  [
    'an error of TikTok with status 200',
    { fault: 'status', status: 200, body: { data: {}, error: { code: 'internal_error', message: '' } } },
  ],
] as const)('a lost response (%s) can never be settled', async (_, script) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault(script)
  const error = await failureOf(commit(call, ready))
  expect(error).toMatchObject({ errorClass: 'unknown' })
  expect(error.info.ref).toBeUndefined()
  site.pass(60_000)
  expect(await probe(call, ready)).toEqual({ kind: 'unprovable' })
  expect(sentTo('create')).toHaveLength(1)
})

test.each([
  [403, 'url_ownership_unverified', 'permission', { operator: true }],
  [403, 'spam_risk_user_banned_from_posting', 'blocked', {}],
  [400, 'invalid_params', 'invalid', {}],
  [429, 'rate_limit_exceeded', 'rate', { retryAfterSeconds: 60 }],
  [200, 'spam_risk_too_many_posts', 'quota', {}],
] as const)('a refusal (%i, %s) is one', async (status, code, errorClass, info) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status, body: { data: {}, error: { code, message: 'in their words', log_id: '1' } } })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass, info })
})

test.each([
  [
    'a GIF',
    () => site.file({ mimeType: 'image/gif' }, gif(1, 1)),
    'invalid',
    /^TikTok cannot read one of the photos\.$/,
  ],
  ['a photo that is gone', () => anyPicture(), 'transient', /temporarily unavailable/],
] as const)('%s ends the publication', async (_, file, errorClass, message) => {
  const call = await open({}, { media: [await photo(), await file()] })
  const { info } = await failureOf(commit(call, (await prepared(call)).ready))
  site.pass(5000)
  const seen = await probe(call, info.ref ?? {})
  expect(seen).toMatchObject({ kind: 'rejected', error: { errorClass, message: expect.stringMatching(message) } })
  expect(platforms.published()).toEqual([])
})

const codes = (metadata: object, media: readonly MediaFile[], content = 'Hi') =>
  checkPost(definition, {
    socialAccountId: 'acc_1',
    content,
    media,
    metadata: { privacyLevel: 'SELF_ONLY', ...metadata },
  }).map(({ code, field }) => `${code} ${field}`)
const photos = (count: number, more: Partial<MediaFile> = {}) => Array.from({ length: count }, () => anyPicture(more))
const format = 'photo'

test('1 to 35 photos of any type that can be converted, and no video; without a format, one video as ever', () => {
  for (const count of [1, 2, 34, 35]) expect(codes({ format }, photos(count))).toEqual([])
  for (const count of [0, 36]) expect(codes({ format }, photos(count))).toEqual(['media_count mediaUrls'])
  for (const mimeType of ['image/jpeg', 'image/png', 'image/webp', 'image/gif']) {
    expect(codes({ format }, photos(1, { mimeType }))).toEqual([])
  }
  expect(codes({ format }, [anyVideo()])).toEqual(['media_type mediaUrls'])
  for (const metadata of [{}, { format: 'video' }]) {
    expect(codes(metadata, [anyVideo()])).toEqual([])
    expect(codes(metadata, photos(1))).toEqual(['media_type mediaUrls'])
  }
  expect(codes({ format: 'photos' }, [])).toContain('metadata_invalid metadata.tiktok.format')
  expect(definition.rules.media[0]).toMatchObject({
    image: { sent: { types: ['image/jpeg', 'image/webp'], maxBytes: 20_000_000, maxWidth: 1080, maxHeight: 1920 } },
  })
})

test('the text of photos has up to 4,000 characters; that of a video 2,200, as ever', () => {
  for (const length of [3999, 4000]) expect(codes({ format }, photos(1), 'x'.repeat(length))).toEqual([])
  expect(codes({ format }, photos(1), 'x'.repeat(4001))).toEqual(['content_length content'])
  expect(codes({}, [anyVideo()], 'x'.repeat(2201))).toEqual(['content_length content'])
  expect(codes({ format: 'video' }, [anyVideo()], 'x'.repeat(2201))).toEqual(['content_length content'])
})

test('the fields of photos at their limits', () => {
  const title = (length: number) => codes({ format, photoTitle: 'x'.repeat(length) }, photos(1))
  for (const length of [89, 90]) expect(title(length)).toEqual([])
  expect(title(91)).toEqual(['metadata_invalid metadata.tiktok.photoTitle'])
  const cover = (photoCoverIndex: number) => codes({ format, photoCoverIndex }, photos(3))
  for (const index of [0, 2]) expect(cover(index)).toEqual([])
  for (const index of [-1, 3, 0.5]) expect(cover(index)).toEqual(['metadata_invalid metadata.tiktok.photoCoverIndex'])
  expect(codes({ format, isAigc: true }, photos(1))).toEqual(['metadata_invalid metadata.tiktok.isAigc'])
  expect(codes({ format, isAigc: false }, photos(1))).toEqual([])
  for (const more of [{ photoTitle: 'x' }, { photoCoverIndex: 0 }]) {
    expect(codes(more, [anyVideo()])).toEqual([`metadata_invalid metadata.tiktok.${Object.keys(more)[0]}`])
  }
  expect(codes({ format, brandContentToggle: true }, photos(1))).toEqual([
    'metadata_invalid metadata.tiktok.privacyLevel',
  ])
})

test('the stand-in rejects what TikTok rejects of photos', async () => {
  const call = await open()
  await failureOf(commit(call, (await prepared(call)).ready))
  const good = body()
  const send = (change: object) =>
    fetch(`${platforms.urls['tiktok']}/v2/post/publish/content/init/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/json; charset=UTF-8',
      },
      body: JSON.stringify({ ...good, ...change }),
    }).then(({ status }) => status)
  const info = (more: object) => ({ post_info: { ...good.post_info, ...more } })
  const source = (more: object) => ({ source_info: { ...good.source_info, ...more } })
  const [address] = good.source_info.photo_images
  for (const change of [
    {},
    info({ title: 'x'.repeat(90), description: 'x'.repeat(4000) }),
    source({ photo_images: Array.from({ length: 35 }, () => address) }),
  ]) {
    expect(await send(change)).toBe(200)
  }
  for (const change of [
    { media_type: 'VIDEO' },
    { post_mode: 'DRAFT' },
    info({ title: 'x'.repeat(91) }),
    info({ description: 'x'.repeat(4001) }),
    info({ is_aigc: true }),
    source({ photo_images: [] }),
    source({ photo_images: Array.from({ length: 36 }, () => address) }),
    source({ photo_cover_index: 2 }),
    source({ source: 'FILE_UPLOAD' }),
  ]) {
    expect(await send(change)).toBe(400)
  }
})

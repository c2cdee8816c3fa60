import { afterAll, beforeAll, expect, test } from 'vitest'
import { instagramSeed } from '../../../infra/local/platforms/instagram.ts'
import { minuteMs } from '../../../shared/time.ts'
import { metaError } from '../../platforms/meta-error.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadFilm, uploadGif, uploadJpeg } from '../upload-file.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'instagram')
})
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

type Media = (kit: Kit) => Promise<string>
const png: Media = async (of) => (await uploadPng(of)).id

const publish = async (content: string, instagram: object, makers: readonly Media[]) => {
  const mediaUrls: string[] = []
  for (const make of makers) mediaUrls.push(await make(kit))
  const dueMs = kit.clock.now() + 15 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [account], content, metadata: { instagram }, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.pass(16 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  const shown = kit.platforms.published().filter(({ url }) => url === post.publishedPostUrl)
  return { post, dueMs, shown }
}

const typesOf = (media: readonly string[]) =>
  Promise.all(media.map(async (url) => (await fetch(url)).headers.get('content-type')))

test.each([
  ['a picture', { format: 'feed_image' }, [uploadJpeg], ['image/jpeg']],
  ['a PNG, as JPEG', { format: 'feed_image' }, [png], ['image/jpeg']],
  [
    'a carousel',
    { format: 'carousel' },
    [uploadJpeg, uploadFilm, uploadGif],
    ['image/jpeg', 'video/mp4', 'image/jpeg'],
  ],
  ['a reel', { format: 'reel', shareToFeed: true }, [uploadFilm], ['video/mp4']],
  ['a story', { format: 'story' }, [(of: Kit) => uploadJpeg(of, 1080, 1920)], ['image/jpeg']],
] as const)('%s is published on time, once, with its URL', async (kind, metadata, makers, types) => {
  const { post, dueMs, shown } = await publish(`About ${kind}`, metadata, makers)
  expect(post).toMatchObject({ status: 'published', error: null })
  const [only, ...more] = shown
  expect(more).toEqual([])
  expect(only).toMatchObject({
    platform: 'instagram',
    account: instagramSeed.people[0].username,
    text: metadata.format === 'story' ? '' : `About ${kind}`,
  })
  expect(await typesOf(only?.media ?? [])).toEqual(types)
  expect((only?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
  expect((only?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
})

test('a caption overrides the content, and a reel has the cover that its author chose', async () => {
  const coverMediaAssetId = await png(kit)
  const { post, shown } = await publish('For the others', { format: 'reel', caption: 'For here', coverMediaAssetId }, [
    uploadFilm,
  ])
  expect(post.status).toBe('published')
  expect(shown).toMatchObject([{ text: 'For here' }])
  expect(await typesOf(shown[0]?.media ?? [])).toEqual(['video/mp4', 'image/jpeg'])
})

test('a trial reel tags an account, and an image whose tag has no position is rejected', async () => {
  const userTags = [{ username: 'the.mill' }]
  const trialParams = { graduationStrategy: 'MANUAL' }
  const { post, shown } = await publish('Try this', { format: 'reel', userTags, trialParams }, [uploadFilm])
  expect(post).toMatchObject({ status: 'published', metadata: { instagram: { userTags, trialParams } } })
  expect(shown.map(({ extras }) => extras)).toEqual([['tags the.mill', 'trial: MANUAL']])
  const metadata = { instagram: { format: 'feed_image', userTags } }
  const body = { socialAccountIds: [account], content: 'Who?', metadata, mediaUrls: [await uploadJpeg(kit)] }
  expect((await kit.api.posts.validate({ body })).issues).toMatchObject([
    { code: 'metadata_invalid', field: 'metadata.instagram.userTags.0' },
  ])
})

test('an image published immediately is live as soon as Instagram has processed it', async () => {
  const mediaUrls = [await uploadJpeg(kit)]
  const metadata = { instagram: { format: 'feed_image' } }
  const body = { socialAccountIds: [account], content: 'Now', metadata, mediaUrls }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(kit.platforms.published().filter(({ text }) => text === 'Now')).toHaveLength(1)
})

test.each([
  ['scheduled', 10 * minuteMs],
  ['published at once', undefined],
])('a dropped image, %s: uploaded again and published once', async (kind, inMs) => {
  const mediaUrls = [await uploadJpeg(kit)]
  const content = `Dropped, ${kind}`
  const body = { socialAccountIds: [account], content, metadata: { instagram: { format: 'feed_image' } }, mediaUrls }
  kit.platforms.faults.add({ platform: 'instagram', operation: 'create', times: 1, ...metaError(24, 2207006) })
  const before = kit.platforms.calls().length
  const scheduledAt = new Date(kit.clock.now() + (inMs ?? 0)).toISOString()
  const [{ id = '' } = {}] = inMs
    ? await kit.api.posts.schedule({ body: { ...body, scheduledAt } })
    : await kit.api.posts.publishNow({ body })
  await kit.service.pass((inMs ?? 0) + 2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(kit.platforms.published().filter(({ text }) => text === content)).toHaveLength(1)
  const uploads = kit.platforms
    .calls()
    .slice(before)
    .filter(({ operation }) => operation === 'upload')
  expect(uploads).toHaveLength(2)
})

test('rejects invalid posts at schedule time', async () => {
  const [picture, movie, tower] = [await uploadJpeg(kit), await uploadFilm(kit), await uploadJpeg(kit, 700, 1000)]
  const body = { socialAccountIds: [account], content: 'Hi' }
  const codes = async (instagram: object | undefined, ...mediaUrls: string[]) => {
    const { issues } = await kit.api.posts.validate({ body: { ...body, mediaUrls, metadata: { instagram } } })
    return issues.map(({ code }) => code)
  }
  expect(await codes({ format: 'feed_image' }, picture)).toEqual([])
  expect(await codes(undefined, picture)).toEqual(['metadata_required'])
  expect(await codes({ format: 'photo' }, picture)).toEqual(['metadata_invalid'])
  expect(await codes({ format: 'feed_image' })).toEqual(['media_count'])
  expect(await codes({ format: 'feed_image' }, movie)).toEqual(['media_type'])
  expect(await codes({ format: 'feed_image' }, tower)).toEqual(['media_dimensions'])
  expect(await codes({ format: 'story' }, tower)).toEqual([])
  expect(await codes({ format: 'carousel' }, picture)).toEqual(['media_count'])
  expect(await codes({ format: 'reel' }, picture)).toEqual(['media_type'])
  expect(await codes({ format: 'reel', coverMediaAssetId: 'med_nothing' }, movie)).toEqual(['media_not_found'])
  const caption = '#a #b #c #d #e #f'
  expect(await codes({ format: 'feed_image', caption }, picture)).toEqual(['hashtag_limit'])
})

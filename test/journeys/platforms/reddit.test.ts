import { afterAll, beforeAll, expect, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { clip } from '../../media/clips.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'reddit')
}, 120_000)
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const block = (more: object) => ({ reddit: { subreddit: 'test', title: 'A cake in May', kind: 'self', ...more } })

async function publish(metadata: Record<string, unknown>, mediaUrls: string[] = []) {
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const body = { socialAccountIds: [account], content: 'Bake it slowly', metadata, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.pass(11 * minuteMs)
  return kit.api.posts.get({ params: { id } })
}

test('a text, a link, an image, and a crosspost are published to their subreddit on time', async () => {
  const text = await publish(block({ body: 'My own words' }))
  const link = await publish(block({ kind: 'link', url: 'https://example.com/cake', title: 'Look at this' }))
  const picture = await publish(block({ kind: 'image', title: 'Here it is' }), [(await uploadPng(kit)).id])
  const crosspost = await publish(
    block({ kind: 'crosspost', title: 'Again', crosspostFullname: text.platformPostId, body: '' }),
  )
  const [first, second, third, fourth, ...more] = kit.platforms.published()
  expect(more).toEqual([])
  expect(first).toMatchObject({ account: 'u/demo_writer in r/test', text: 'A cake in May\n\nMy own words' })
  expect(second).toMatchObject({ text: 'Look at this\n\nhttps://example.com/cake\n\nBake it slowly' })
  expect(third).toMatchObject({ text: 'Here it is\n\nBake it slowly', media: [expect.any(String)] })
  expect(fourth).toMatchObject({ text: 'Again', extras: [`crosspost of ${first?.url}`] })
  const posts = [text, link, picture, crosspost]
  expect(posts.map(({ status, error }) => [status, error])).toEqual(Array(4).fill(['published', null]))
  const urls = [first, second, third, fourth].map((shown) => shown?.url)
  expect(posts.map(({ publishedPostUrl }) => publishedPostUrl)).toEqual(urls)
})

test('an image that appears late gets its URL in the end and is published once', async () => {
  const before = kit.platforms.published().length
  const body = { data: { children: [] } }
  kit.platforms.faults.add({ platform: 'reddit', operation: 'read', times: 4, fault: 'status', status: 200, body })
  const post = await publish(block({ kind: 'image', title: 'A slow one' }), [(await uploadPng(kit)).id])
  await kit.service.pass(10 * minuteMs)
  const shown = kit.platforms.published().slice(before)
  expect(shown).toHaveLength(1)
  const settled = await kit.api.posts.get({ params: { id: post.id } })
  expect(settled).toMatchObject({ status: 'published', publishedPostUrl: shown[0]?.url })
})

/** Uploads the start of a film, as a user would. */
const uploadFilm = async () => {
  const bytes = clip()
  const file = { mimeType: 'video/mp4' as const, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await kit.api.media.createUploadUrl({ body: { filename: 'cake.mp4', ...file } })
  const headers = { 'Content-Type': file.mimeType }
  await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  return kit.api.media.complete({ body: { storageKey, originalFilename: 'cake.mp4', ...file } })
}

test('a video with its poster image', async () => {
  const [{ id: video }, { id: poster }] = [await uploadFilm(), await uploadPng(kit)]
  const post = await publish(block({ kind: 'video', title: 'See it rise', posterMediaAssetId: poster }), [video])
  const shown = kit.platforms.published().at(-1)
  expect(shown).toMatchObject({ text: 'See it rise\n\nBake it slowly', media: [expect.any(String)] })
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
  const uploads = kit.platforms
    .calls()
    .filter(({ operation, platform }) => platform === 'reddit' && operation === 'upload')
  expect(uploads.slice(-2).map(({ status }) => status)).toEqual([201, 201])
})

test('a video without a poster image is accepted and published once', async () => {
  const { id: video } = await uploadFilm()
  const before = kit.platforms.published().length
  const post = await publish(block({ kind: 'video', title: 'See it rise by itself' }), [video])
  const [shown, ...more] = kit.platforms.published().slice(before)
  expect(more).toEqual([])
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
})

test('validate and schedule agree on the requirements of the subreddit', async () => {
  const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
  const body = (more: object) => ({
    socialAccountIds: [account],
    content: 'Bake it slowly',
    metadata: block({ subreddit: 'r/flaired', title: 'With a flair', ...more }),
  })
  const { valid, issues } = await kit.api.posts.validate({ body: body({}) })
  expect([valid, issues.map(({ code }) => code)]).toEqual([false, ['flair_required']])
  expect(issues[0]?.message).toBe('Reddit: r/flaired requires a flair.')
  const refused = await kit.api.$raw('POST', '/api/posts/schedule', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...body({}), scheduledAt }),
  })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('requires a flair')])
  const { choices } = await kit.api.socialAccounts.redditFlairOptions({ query: { subreddit: 'flaired' } })
  const good = body({ flairId: choices[0]?.id })
  expect((await kit.api.posts.validate({ body: good })).valid).toBe(true)
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body: { ...good, scheduledAt } })
  await kit.service.pass(11 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
})

test('rejects invalid posts at schedule time', async () => {
  const { id: asset } = await uploadPng(kit)
  const codes = async (metadata: Record<string, unknown>, mediaUrls: string[] = []) => {
    const body = { socialAccountIds: [account], content: 'Hi', metadata, mediaUrls }
    return (await kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  expect(await codes(block({}))).toEqual([])
  expect(await codes({})).toEqual(['metadata_required'])
  expect(await codes(block({ subreddit: 'ask reddit' }))).toEqual(['metadata_invalid'])
  expect(await codes(block({ title: 'x'.repeat(301) }))).toEqual(['metadata_invalid'])
  expect(await codes(block({ kind: 'link' }))).toEqual(['metadata_invalid'])
  expect(await codes(block({ kind: 'image' }))).toEqual(['media_count'])
  expect(await codes(block({}), [asset])).toEqual(['media_count'])
  expect(await codes(block({ kind: 'video', posterMediaAssetId: 'med_unknown' }))).toContain('media_not_found')
})

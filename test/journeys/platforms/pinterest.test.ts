import { afterAll, beforeAll, expect, test } from 'vitest'
import { pinterestSeed } from '../../../infra/local/platforms/pinterest.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadFilm } from '../upload-file.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
}, 120_000)
afterAll(async () => {
  await kit.service.drain()
  await expectSound(kit)
  await kit.close()
})

const metadata = (more: object = {}) => ({
  pinterest: { boardId: pinterestSeed.boards[0].id, title: 'Lemon cake', description: 'For hot days', ...more },
})

test('a Pin is published to its board with its image, on time', async () => {
  const account = await connectOn(kit, 'pinterest')
  const { id: asset } = await uploadPng(kit)
  const dueMs = kit.clock.now() + 10 * minuteMs
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: {
      socialAccountIds: [account],
      content: 'Written for the others',
      metadata: metadata({ link: 'https://bea.example/cake' }),
      mediaUrls: [asset],
      scheduledAt: new Date(dueMs).toISOString(),
    },
  })
  await kit.service.pass(11 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  const [shown] = kit.platforms.published()
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
  expect(shown).toMatchObject({
    platform: 'pinterest',
    account: 'bea_bakes / Summer recipes',
    text: 'Lemon cake\n\nFor hot days',
    media: [expect.any(String)],
  })
  expect(kit.platforms.published()).toHaveLength(1)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
})

test('a video is published to its board with the cover that its author chose, on time', async () => {
  const account = await connectOn(kit, 'pinterest')
  const coverMediaAssetId = (await uploadPng(kit)).id
  const dueMs = kit.clock.now() + 15 * minuteMs
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: {
      socialAccountIds: [account],
      content: '',
      metadata: metadata({ title: 'A film', format: 'video', coverMediaAssetId }),
      mediaUrls: [await uploadFilm(kit)],
      scheduledAt: new Date(dueMs).toISOString(),
    },
  })
  await kit.service.pass(16 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  const [shown, ...more] = kit.platforms.published().filter(({ text }) => text.startsWith('A film'))
  expect(more).toEqual([])
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
  const types = (shown?.media ?? []).map(async (url) => (await fetch(url)).headers.get('content-type'))
  expect(await Promise.all(types)).toEqual(['video/mp4', 'image/png'])
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
})

test('a carousel is published to a section of its board, on time', async () => {
  const account = await connectOn(kit, 'pinterest')
  const boardSectionId = pinterestSeed.sections[0].id
  const dueMs = kit.clock.now() + 10 * minuteMs
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: {
      socialAccountIds: [account],
      content: '',
      metadata: metadata({ title: 'Three cakes', format: 'carousel', boardSectionId }),
      mediaUrls: [(await uploadPng(kit)).id, (await uploadPng(kit)).id, (await uploadPng(kit)).id],
      scheduledAt: new Date(dueMs).toISOString(),
    },
  })
  await kit.service.pass(11 * minuteMs)
  const post = await kit.api.posts.get({ params: { id } })
  const [shown, ...more] = kit.platforms.published().filter(({ text }) => text.startsWith('Three cakes'))
  expect(more).toEqual([])
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: shown?.url, error: null })
  expect(shown?.media).toHaveLength(3)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
})

test('rejects invalid posts at schedule time', async () => {
  const account = await connectOn(kit, 'pinterest')
  const { id: asset } = await uploadPng(kit)
  const body = { socialAccountIds: [account], content: 'Hi', metadata: metadata(), mediaUrls: [asset] }
  const codes = async (more: object) => {
    const { issues } = await kit.api.posts.validate({ body: { ...body, ...more } })
    return issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ metadata: {} })).toEqual(['metadata_required'])
  expect(await codes({ mediaUrls: [] })).toEqual(['media_count'])
  expect(await codes({ mediaUrls: [asset, (await uploadPng(kit)).id] })).toEqual(['media_count'])
  expect(await codes({ metadata: metadata({ title: 'x'.repeat(101) }) })).toEqual(['metadata_invalid'])
  expect(await codes({ metadata: metadata({ link: 'no address' }) })).toEqual(['metadata_invalid'])
  expect(await codes({ metadata: metadata({ description: '' }) })).toEqual([])
  const film = await uploadFilm(kit)
  expect(await codes({ mediaUrls: [film] })).toEqual(['media_type'])
  expect(await codes({ mediaUrls: [film], metadata: metadata({ format: 'video' }) })).toEqual([])
  const cover = { format: 'video', coverMediaAssetId: 'med_nothing' }
  expect(await codes({ mediaUrls: [film], metadata: metadata(cover) })).toEqual(['media_not_found'])
})

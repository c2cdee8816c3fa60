import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { channelId } from '../../journeys/author.ts'
import { expectSound } from '../../journeys/invariants.ts'
import { connectOn } from '../../support/connect.ts'
import { filesIn, type ImportFixture, imported, startImportFixture } from './origin.ts'

let fixture: ImportFixture
let slack: string
beforeAll(async () => {
  fixture = await startImportFixture()
  slack = await connectOn(fixture.kit, 'slack')
  await fixture.kit.service.drain()
}, 120_000)
afterAll(async () => {
  await expectSound(fixture.kit)
  await fixture.close()
})

const metadata = { discord: { channelId }, slack: { channelId: 'C0DEMO002', channelName: 'random' } }
const live = (content: string) => fixture.kit.platforms.published().filter(({ text }) => text === content)

test('a file at an address is published on three platforms, fetched once, and is in the library then', async () => {
  const { kit, origin, requested } = fixture
  const url = `${origin}/loaf.png`
  const socialAccountIds = [kit.accounts.bluesky, kit.accounts.discord, slack]
  const scheduledAt = new Date(kit.clock.now() + 30 * minuteMs).toISOString()
  const body = { socialAccountIds, content: 'Three', metadata, mediaUrls: [url], scheduledAt }
  const [first, ...others] = await kit.api.posts.schedule({ body })
  const [mediaId = ''] = first?.mediaUrls ?? []
  expect(first).toMatchObject({ imports: [{ mediaId, url, status: 'pending', error: null }], mediaError: null })
  expect(others.map(({ mediaUrls }) => mediaUrls)).toEqual([[mediaId], [mediaId]])
  await kit.service.drain()
  expect(requested.filter((path) => path === '/loaf.png')).toHaveLength(1)
  expect(await kit.api.media.get({ params: { id: mediaId } })).toMatchObject({
    originalFilename: 'loaf.png',
    mimeType: 'image/png',
    width: 4,
  })
  expect((await imported(kit, first?.id ?? '')).imports).toEqual([{ mediaId, url, status: 'ready', error: null }])
  await kit.service.pass(31 * minuteMs)
  for (const { id } of [first, ...others].flatMap((post) => post ?? [])) {
    expect(await imported(kit, id)).toMatchObject({ status: 'published', version: expect.any(Number) })
  }
  expect(live('Three').map(({ media }) => media.length)).toEqual([1, 1, 1])
  expect((await filesIn(kit)).filter((key) => key.startsWith('incoming/'))).toEqual([])
})

test('publish-now imports first, then publishes', async () => {
  const { kit, origin } = fixture
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Now', mediaUrls: [`${origin}/now.png`] }
  const [post] = await kit.api.posts.publishNow({ body })
  expect(live('Now')).toEqual([])
  await kit.service.drain()
  expect(await imported(kit, post?.id ?? '')).toMatchObject({ status: 'published', imports: [{ status: 'ready' }] })
  expect(live('Now').map(({ media }) => media.length)).toEqual([1])
})

test('the same address twice is one file, next to files of the library and of one platform', async () => {
  const { kit, origin } = fixture
  const url = `${origin}/twice.png`
  const body = {
    socialAccountIds: [kit.accounts.bluesky, kit.accounts.discord],
    content: 'Twice',
    metadata,
    mediaUrls: [url, `${url}#again`],
    platformMedia: { discord: [url] },
  }
  const [bluesky, discord] = await kit.api.posts.publishNow({ body })
  expect(new Set([...(bluesky?.mediaUrls ?? []), ...(discord?.mediaUrls ?? [])]).size).toBe(1)
  await kit.service.drain()
  expect(
    live('Twice')
      .map(({ media }) => media.length)
      .sort(),
  ).toEqual([1, 2])
})

test('a change takes an address, and a post whose import failed fetches again when it gets a new time', async () => {
  const { kit, origin, answers } = fixture
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const [post] = await kit.api.posts.schedule({
    body: { socialAccountIds: [kit.accounts.bluesky], content: 'Later', scheduledAt },
  })
  const params = { id: post?.id ?? '' }
  answers.set('/gone.png', (_, response) => response.writeHead(404).end())
  const changed = await kit.api.posts.update({ params, body: { mediaUrls: [`${origin}/gone.png`] } })
  expect(changed).toMatchObject({ imports: [{ status: 'pending' }] })
  await kit.service.drain()
  expect(await imported(kit, params.id)).toMatchObject({ status: 'scheduled', imports: [{ status: 'failed' }] })
  await kit.service.pass(hourMs + minuteMs)
  expect(await imported(kit, params.id)).toMatchObject({ status: 'failed', reason: 'media_import_failed' })
  answers.delete('/gone.png')
  const again = new Date(kit.clock.now() + hourMs).toISOString()
  await kit.api.posts.update({ params, body: { scheduledAt: again } })
  await kit.service.drain()
  expect(await imported(kit, params.id)).toMatchObject({ imports: [{ status: 'ready' }], mediaError: null })
  await kit.service.pass(hourMs + minuteMs)
  expect(live('Later').map(({ media }) => media.length)).toEqual([1])
})

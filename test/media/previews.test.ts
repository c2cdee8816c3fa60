import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../infra/local/service/invocation.ts'
import { equal } from '../../shared/db/expression.ts'
import { queryAll } from '../../shared/db/table.ts'
import { assets } from '../../shared/media/asset.ts'
import { jobsPartitionOf } from '../../shared/media/job.ts'
import { previewKeyOf } from '../../shared/media/reference.ts'
import { minuteMs } from '../../shared/time.ts'
import { type MediaFixture, serveMedia } from '../api/media/gallery.ts'
import { makeAsset } from '../support/world/preparations.ts'
import { listFiles } from '../workspaces/files.ts'
import { clip } from './clips.ts'
import { jpeg } from './files.ts'
import { colorAt, film, halves, noise, withExif } from './pictures.ts'

const mediaService = serveMedia()

const photo = async () => ({ mimeType: 'image/jpeg', bytes: await withExif(halves(1600, 800), 6).jpeg().toBuffer() })

const jobsLeft = ({ ctx, workspaceId }: MediaFixture) =>
  queryAll(ctx, { key: equal('PK', jobsPartitionOf(workspaceId)) })
const shownBy = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())

/** Adds a file and lets the workers do what is left to do. */
const added = async (fixture: MediaFixture, file: { bytes: Buffer; mimeType: string }) => {
  const { id } = (await fixture.add(file)).body.data
  await fixture.service.drain()
  return (await fixture.call('GET', `/${id}`)).body.data
}

test('an image has a small preview, upright and without EXIF metadata', async () => {
  const fixture = await mediaService.open()
  const file = await photo()
  expect(await sharp(file.bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) })
  const { id, url, previewUrl, width, height } = await added(fixture, file)
  expect([width, height]).toEqual([800, 1600])
  expect(previewUrl).toBe(`${fixture.ctx.env('MEDIA_URL')}/${previewKeyOf(fixture.workspaceId, id)}`)
  const answer = await fetch(previewUrl)
  expect(answer.headers.get('content-type')).toBe('image/webp')
  const preview = Buffer.from(await answer.arrayBuffer())
  const metadata = await sharp(preview).metadata()
  expect(metadata).toMatchObject({ format: 'webp', width: 320, height: 640 })
  expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(preview.includes('GPS') || preview.includes('Lens & Sons')).toBe(false)
  // What lay to the left, red, is at the top when the picture is turned.
  expect((await colorAt(preview, 160, 20))[0]).toBeGreaterThan(200)
  // The file itself keeps its orientation, and its pixels (clean.law.ts).
  expect(await sharp(await shownBy(url)).metadata()).toMatchObject({ orientation: 6, width: 1600, height: 800 })
  expect(await jobsLeft(fixture)).toEqual([])
})

test('a small image keeps its size, and an animation shows its first frame', async () => {
  const fixture = await mediaService.open()
  const small = await added(fixture, { mimeType: 'image/png', bytes: await noise(60, 40).png().toBuffer() })
  expect(await sharp(await shownBy(small.previewUrl)).metadata()).toMatchObject({ width: 60, height: 40 })
  const moving = await added(fixture, { mimeType: 'image/gif', bytes: await film(60, 40) })
  expect(moving).toMatchObject({ frames: 2 })
  const preview = await shownBy(moving.previewUrl)
  expect((await sharp(preview).metadata()).pages ?? 1).toBe(1)
  expect((await colorAt(preview, 30, 20))[0]).toBeGreaterThan(200)
})

test('a video has no preview and no job', async () => {
  const fixture = await mediaService.open()
  const video = await added(fixture, { mimeType: 'video/mp4', bytes: clip() })
  expect(video.previewUrl).toBe(video.url)
  expect(await jobsLeft(fixture)).toEqual([])
})

test('the sweeper creates a preview whose message was lost', async () => {
  const fixture = await mediaService.open()
  const file = await photo()
  const lose = <T>({ service, resource }: FunctionEffect, run: () => Promise<T>) => {
    if (service === 'sqs' && resource === 'preview') throw new Error('lost')
    return run()
  }
  const { status, body } = await mediaService.watch(lose, () => fixture.add(file))
  expect([status, body.data.previewUrl]).toEqual([201, body.data.url])
  await fixture.service.pass(2 * minuteMs)
  const { previewUrl } = (await fixture.call('GET', `/${body.data.id}`)).body.data
  expect(previewUrl).toMatch(/\.webp$/)
})

test('an unreadable image is its own preview, without a retry', async () => {
  const fixture = await mediaService.open()
  const file = await added(fixture, { mimeType: 'image/jpeg', bytes: jpeg(30, 20) })
  expect(file.previewUrl).toBe(file.url)
  const { ctx, workspaceId } = fixture
  expect(await assets.get(ctx, { workspaceId, id: file.id })).toMatchObject({
    previewError: 'the image cannot be read',
  })
  expect(await jobsLeft(fixture)).toEqual([])
})

test('gives up an image whose worker dies each time', async () => {
  const fixture = await mediaService.open()
  let deaths = 0
  const die = <T>({ functionName, action }: FunctionEffect, run: () => Promise<T>) => {
    if (functionName !== 'make-preview' || action !== 'GetObject') return run()
    deaths += 1
    throw new Error('out of memory')
  }
  const { id } = await mediaService.watch(die, async () => {
    const asset = await added(fixture, await photo())
    await fixture.service.pass(90 * minuteMs, { tickMinutes: 5 })
    return asset
  })
  expect(deaths).toBe(5)
  const { ctx, workspaceId } = fixture
  expect(await assets.get(ctx, { workspaceId, id })).toMatchObject({ previewError: 'no preview after 5 tries' })
  expect(await jobsLeft(fixture)).toEqual([])
})

test('a file deleted during its preview leaves nothing', async () => {
  const fixture = await mediaService.open()
  const { id } = (await fixture.add(await photo())).body.data
  const between = async <T>({ functionName, action }: FunctionEffect, run: () => Promise<T>) => {
    if (functionName === 'make-preview' && action === 'PutObject') await fixture.call('DELETE', `/${id}`)
    return run()
  }
  await mediaService.watch(between, () => fixture.service.drain())
  await fixture.service.pass(3 * minuteMs)
  expect(await listFiles(fixture, fixture.workspaceId)).toEqual([])
  expect(await jobsLeft(fixture)).toEqual([])
})

test('deleting a file deletes its preview and its converted copies', async () => {
  const fixture = await mediaService.open()
  const { id, storageKey } = await added(fixture, await photo())
  await fixture.lay(`media/derived/${fixture.workspaceId}/${id}/1.jpg`, Buffer.from('made'))
  const files = [`media/derived/${fixture.workspaceId}/${id}/1.jpg`, previewKeyOf(fixture.workspaceId, id), storageKey]
  expect(await listFiles(fixture, fixture.workspaceId)).toEqual(files)
  expect((await fixture.call('DELETE', `/${id}`)).status).toBe(200)
  expect(await listFiles(fixture, fixture.workspaceId)).toEqual([])
})

test('a preview URL names its file in a post, as the file URL does', async () => {
  const fixture = await mediaService.open()
  const { api, accounts, service } = fixture
  const { id } = await makeAsset(fixture)
  await service.drain()
  const { url, previewUrl } = await api.media.get({ params: { id } })
  expect(previewUrl).not.toBe(url)
  const post = { socialAccountIds: [accounts.bluesky], content: 'Look' }
  for (const address of [url, previewUrl]) {
    expect(await api.posts.validate({ body: { ...post, mediaUrls: [address] } })).toMatchObject({ valid: true })
  }
})

import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../infra/local/service/invocation.ts'
import { equal } from '../../shared/db/expression.ts'
import { queryAll } from '../../shared/db/table.ts'
import { assets } from '../../shared/media/asset.ts'
import { jobsPartitionOf } from '../../shared/media/job.ts'
import { previewKeyOf } from '../../shared/media/reference.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Gallery, serveGalleries } from '../api/media/gallery.ts'
import { makeAsset } from '../support/world/preparations.ts'
import { listFiles } from '../workspaces/files.ts'
import { clip } from './clips.ts'
import { jpeg } from './files.ts'
import { colorAt, film, halves, noise, withExif } from './pictures.ts'

const galleries = serveGalleries()

const photo = async () => ({ mimeType: 'image/jpeg', bytes: await withExif(halves(1600, 800), 6).jpeg().toBuffer() })

const jobsLeft = ({ ctx, workspaceId }: Gallery) => queryAll(ctx, { key: equal('PK', jobsPartitionOf(workspaceId)) })
const shownBy = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())

/** Adds a file and lets the workers do what is left to do. */
const added = async (gallery: Gallery, file: { bytes: Buffer; mimeType: string }) => {
  const { id } = (await gallery.add(file)).body.data
  await gallery.service.drain()
  return (await gallery.call('GET', `/${id}`)).body.data
}

test('an image has a small preview, upright and without EXIF metadata', async () => {
  const gallery = await galleries.open()
  const file = await photo()
  expect(await sharp(file.bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) })
  const { id, url, previewUrl, width, height } = await added(gallery, file)
  expect([width, height]).toEqual([800, 1600])
  expect(previewUrl).toBe(`${gallery.ctx.env('MEDIA_URL')}/${previewKeyOf(gallery.workspaceId, id)}`)
  const answer = await fetch(previewUrl)
  expect(answer.headers.get('content-type')).toBe('image/webp')
  const preview = Buffer.from(await answer.arrayBuffer())
  const facts = await sharp(preview).metadata()
  expect(facts).toMatchObject({ format: 'webp', width: 320, height: 640 })
  expect([facts.exif, facts.icc, facts.xmp, facts.orientation]).toEqual([undefined, undefined, undefined, undefined])
  expect(preview.includes('GPS') || preview.includes('Lens & Sons')).toBe(false)
  // What lay to the left, red, is at the top when the picture is turned.
  expect((await colorAt(preview, 160, 20))[0]).toBeGreaterThan(200)
  // The file itself keeps its orientation, and its pixels (clean.law.ts).
  expect(await sharp(await shownBy(url)).metadata()).toMatchObject({ orientation: 6, width: 1600, height: 800 })
  expect(await jobsLeft(gallery)).toEqual([])
})

test('a small image keeps its size, and an animation shows its first frame', async () => {
  const gallery = await galleries.open()
  const small = await added(gallery, { mimeType: 'image/png', bytes: await noise(60, 40).png().toBuffer() })
  expect(await sharp(await shownBy(small.previewUrl)).metadata()).toMatchObject({ width: 60, height: 40 })
  const moving = await added(gallery, { mimeType: 'image/gif', bytes: await film(60, 40) })
  expect(moving).toMatchObject({ frames: 2 })
  const preview = await shownBy(moving.previewUrl)
  expect((await sharp(preview).metadata()).pages ?? 1).toBe(1)
  expect((await colorAt(preview, 30, 20))[0]).toBeGreaterThan(200)
})

test('a video has no preview and no job', async () => {
  const gallery = await galleries.open()
  const video = await added(gallery, { mimeType: 'video/mp4', bytes: clip() })
  expect(video.previewUrl).toBe(video.url)
  expect(await jobsLeft(gallery)).toEqual([])
})

test('the sweeper creates a preview whose message was lost', async () => {
  const gallery = await galleries.open()
  const file = await photo()
  const lose = <T>({ service, resource }: FunctionEffect, run: () => Promise<T>) => {
    if (service === 'sqs' && resource === 'preview') throw new Error('lost')
    return run()
  }
  const { status, body } = await galleries.watch(lose, () => gallery.add(file))
  expect([status, body.data.previewUrl]).toEqual([201, body.data.url])
  await gallery.service.pass(2 * minuteMs)
  const { previewUrl } = (await gallery.call('GET', `/${body.data.id}`)).body.data
  expect(previewUrl).toMatch(/\.webp$/)
})

test('an unreadable image is its own preview, without a retry', async () => {
  const gallery = await galleries.open()
  const file = await added(gallery, { mimeType: 'image/jpeg', bytes: jpeg(30, 20) })
  expect(file.previewUrl).toBe(file.url)
  const { ctx, workspaceId } = gallery
  expect(await assets.get(ctx, { workspaceId, id: file.id })).toMatchObject({
    previewError: 'the image cannot be read',
  })
  expect(await jobsLeft(gallery)).toEqual([])
})

test('gives up an image whose worker dies each time', async () => {
  const gallery = await galleries.open()
  let deaths = 0
  const die = <T>({ functionName, action }: FunctionEffect, run: () => Promise<T>) => {
    if (functionName !== 'make-preview' || action !== 'GetObject') return run()
    deaths += 1
    throw new Error('out of memory')
  }
  const { id } = await galleries.watch(die, async () => {
    const asset = await added(gallery, await photo())
    await gallery.service.pass(90 * minuteMs, { tickMinutes: 5 })
    return asset
  })
  expect(deaths).toBe(5)
  const { ctx, workspaceId } = gallery
  expect(await assets.get(ctx, { workspaceId, id })).toMatchObject({ previewError: 'no preview after 5 tries' })
  expect(await jobsLeft(gallery)).toEqual([])
})

test('a file deleted during its preview leaves nothing', async () => {
  const gallery = await galleries.open()
  const { id } = (await gallery.add(await photo())).body.data
  const between = async <T>({ functionName, action }: FunctionEffect, run: () => Promise<T>) => {
    if (functionName === 'make-preview' && action === 'PutObject') await gallery.call('DELETE', `/${id}`)
    return run()
  }
  await galleries.watch(between, () => gallery.service.drain())
  await gallery.service.pass(3 * minuteMs)
  expect(await listFiles(gallery, gallery.workspaceId)).toEqual([])
  expect(await jobsLeft(gallery)).toEqual([])
})

test('deleting a file deletes its preview and its converted copies', async () => {
  const gallery = await galleries.open()
  const { id, storageKey } = await added(gallery, await photo())
  await gallery.lay(`media/derived/${gallery.workspaceId}/${id}/1.jpg`, Buffer.from('made'))
  const files = [`media/derived/${gallery.workspaceId}/${id}/1.jpg`, previewKeyOf(gallery.workspaceId, id), storageKey]
  expect(await listFiles(gallery, gallery.workspaceId)).toEqual(files)
  expect((await gallery.call('DELETE', `/${id}`)).status).toBe(200)
  expect(await listFiles(gallery, gallery.workspaceId)).toEqual([])
})

test('a preview URL names its file in a post, as the file URL does', async () => {
  const gallery = await galleries.open()
  const { api, accounts, service } = gallery
  const { id } = await makeAsset(gallery)
  await service.drain()
  const { url, previewUrl } = await api.media.get({ params: { id } })
  expect(previewUrl).not.toBe(url)
  const post = { socialAccountIds: [accounts.bluesky], content: 'Look' }
  for (const address of [url, previewUrl]) {
    expect(await api.posts.validate({ body: { ...post, mediaUrls: [address] } })).toMatchObject({ valid: true })
  }
})

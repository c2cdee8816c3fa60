import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import type { MediaType } from '../../shared/media/types.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { blueskyLogin } from '../support/world/preparations.ts'
import { listFiles } from '../workspaces/files.ts'
import { jpeg, profiles } from './files.ts'
import { film, noise, withExif } from './pictures.ts'

const megabyte = 1_000_000

let kit: Kit
const files: { functionName: string; action: string }[] = []
beforeAll(async () => {
  kit = await start({
    observe: ({ functionName, service, action }, run) => {
      if (service === 's3') files.push({ functionName, action })
      return run()
    },
  })
})
afterAll(() => kit.close())
beforeEach(() => {
  files.length = 0
})

/** Who made a file for a platform; previews are another matter. */
const makers = () =>
  files
    .filter(({ functionName, action }) => action === 'PutObject' && functionName !== 'make-preview')
    .map(({ functionName }) => functionName)

const upload = async (bytes: Uint8Array, mimeType: MediaType, filename = 'holiday.png', api = kit.api) => {
  const fileInfo = { mimeType, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await api.media.createUploadUrl({ body: { filename, ...fileInfo } })
  const headers = { 'Content-Type': mimeType }
  await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  const { id } = await api.media.complete({ body: { storageKey, originalFilename: filename, ...fileInfo } })
  files.length = 0
  return id
}

const schedule = async (content: string, mediaUrls: string[], inMs = 10 * minuteMs) => {
  const scheduledAt = new Date(kit.clock.now() + inMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content, mediaUrls, scheduledAt }
  const [post] = await kit.api.posts.schedule({ body })
  if (post === undefined) throw new Error('no post was scheduled')
  return post.id
}

/** The files that the platform shows for a post. */
const shownBy = async (content: string): Promise<Buffer[]> => {
  const [post] = kit.platforms.published().filter(({ text }) => text === content)
  const load = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())
  return Promise.all((post?.media ?? []).map(load))
}

const heavy = (): Sharp => noise(1200, 900)

test('converts what a platform does not accept, and sends the rest unchanged', async () => {
  const large = await heavy().png({ compressionLevel: 1 }).toBuffer()
  expect(large.byteLength).toBeGreaterThan(3 * megabyte)
  const small = await noise(40, 30).png().toBuffer()
  const photo = await withExif(heavy(), 6).jpeg({ quality: 98 }).toBuffer()
  expect(photo.byteLength).toBeGreaterThan(megabyte)
  const ids = [await upload(large, 'image/png'), await upload(small, 'image/png'), await upload(photo, 'image/jpeg')]
  const id = await schedule('Three pictures', ids)
  await kit.service.pass(11 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published', mediaUrls: ids })
  const [first, second, third] = await shownBy('Three pictures')
  if (!first || !second || !third) throw new Error('three pictures are not shown')
  expect(first.byteLength).toBeLessThanOrEqual(megabyte)
  expect(await sharp(first).metadata()).toMatchObject({ format: 'jpeg', width: expect.any(Number) })
  expect(second.equals(small)).toBe(true)
  expect(third.byteLength).toBeLessThanOrEqual(megabyte)
  expect((await sharp(third).metadata()).exif).toBeUndefined()
  // Upright, with the matching size: the placeholder of the platform has the same shape.
  const [record] = kit.platforms
    .calls()
    .filter(({ operation, body }) => operation === 'create' && body.includes('Three pictures'))
  const { embed } = JSON.parse(String(record?.body)).record
  const shapes = await Promise.all([first, second, third].map((bytes) => sharp(bytes).metadata()))
  expect(embed.images.map(({ aspectRatio }: { aspectRatio: object }) => aspectRatio)).toEqual(
    shapes.map(({ width, height }) => ({ width, height })),
  )
  expect(makers()).toEqual(['prepare-post', 'prepare-post'])
})

test('an immediate post is converted before it reaches the publisher, and the next post reuses the result', async () => {
  const [light, block] = [await film(60, 40), Buffer.concat([Buffer.from([255]), Buffer.alloc(255)])]
  // A color profile of a megabyte.
  const profile = [
    Buffer.from('\x21\xff\x0bICCRGBG1012', 'latin1'),
    ...Array<Buffer>(4000).fill(block),
    Buffer.from([0]),
  ]
  const heavyFilm = Buffer.concat([light.subarray(0, -1), ...profile, light.subarray(-1)])
  const id = await upload(heavyFilm, 'image/gif')
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'A film', mediaUrls: [id] }
  await kit.api.posts.publishNow({ body })
  await kit.service.pass(minuteMs)
  const [shown] = await shownBy('A film')
  expect(await sharp(shown).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 40 })
  expect(makers()).toEqual(['prepare-post'])
  await schedule('The film again', [id])
  await kit.service.pass(11 * minuteMs)
  expect((await shownBy('The film again'))[0]?.equals(shown ?? Buffer.alloc(0))).toBe(true)
  expect(makers()).toEqual(['prepare-post'])
})

test('a broken image fails its post with a message, without a retry', async () => {
  // Its segments are complete, but its content cannot be decoded.
  const torn = jpeg(1200, 900, profiles(20))
  const id = await schedule('A torn picture', [await upload(torn, 'image/jpeg', 'torn.jpg')])
  await kit.service.pass(15 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'failed',
    error: 'torn.jpg is damaged and cannot be read as an image. Upload it again, then reschedule the post.',
  })
  expect(await shownBy('A torn picture')).toEqual([])
  // The reason, instead of the image.
  expect(makers()).toEqual(['prepare-post'])
})

test('deleting a workspace deletes its converted files', async () => {
  const { id: workspaceId, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Short', timezone: 'UTC' } })
  const here = { baseUrl: kit.url, token: kit.sessionToken, workspaceId }
  const api = client(here)

  const { id: account } = await api.socialAccounts.connectBluesky({ body: blueskyLogin })
  const picture = await upload(await heavy().png().toBuffer(), 'image/png', 'a.png', api)
  await api.posts.publishNow({ body: { socialAccountIds: [account], content: 'Farewell', mediaUrls: [picture] } })
  await kit.service.pass(minuteMs)
  const isDerived = (key: string) => key.startsWith(`media/derived/${workspaceId}/${picture}/`)
  expect((await listFiles(kit, workspaceId)).filter(isDerived)).toHaveLength(1)
  await api.workspaces.delete({ params: { id: workspaceId }, query: { confirm: slug } })
  await kit.service.pass(62 * minuteMs, { tickMinutes: 10 })
  expect(await listFiles(kit, workspaceId)).toEqual([])
})

import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metadataFor } from '../../infra/local/demo/metadata.ts'
import { putFile } from '../../shared/aws/put-file.ts'
import { update } from '../../shared/db/table.ts'
import { assets } from '../../shared/media/asset.ts'
import type { MediaType } from '../../shared/media/types.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { uploadFile } from '../journeys/upload-file.ts'
import { connectOn } from '../support/connect.ts'
import { startImportFixture } from './imports/origin.ts'
import { noise } from './pictures.ts'
import { readBack } from './read-back.ts'
import { imageFormats, secretFilm, secretImage, secretsIn } from './secrets.ts'

let fixture: Awaited<ReturnType<typeof startImportFixture>>
beforeAll(async () => {
  fixture = await startImportFixture()
})
afterAll(() => fixture.close())

const load = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())

/** The routes into the library; each returns the file's URL. */
const doors: Readonly<Record<string, (bytes: Buffer, mimeType: MediaType) => Promise<string>>> = {
  upload: (bytes, mimeType) => uploadFile(fixture.kit, mimeType, bytes),
  inline: async (bytes) =>
    (await fixture.kit.api.media.create({ body: { content: bytes.toString('base64'), filename: 'a file' } })).id,
  address: async (bytes) => {
    const path = `/${fixture.answers.size}`
    fixture.answers.set(path, (_request, response) => response.end(bytes))
    const scheduledAt = new Date(fixture.kit.clock.now() + 600 * minuteMs).toISOString()
    const [post] = await fixture.kit.api.posts.schedule({
      body: {
        socialAccountIds: [fixture.kit.accounts.bluesky],
        content: 'A picture',
        scheduledAt,
        mediaUrls: [`${fixture.origin}${path}`],
      },
    })
    await fixture.kit.service.drain()
    return post?.mediaUrls[0] ?? ''
  },
}

/** What a decoder shows: every frame upright, with its color profile. */
const shownBy = async (bytes: Buffer) => {
  const image = sharp(bytes, { animated: true })
  const { icc, orientation = 1, delay, loop } = await image.metadata()
  const { data, info } = await image.autoOrient().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { icc, orientation, delay, loop, width, height, channels, pixels: data }
}

test('any picture, added by any route, looks unchanged and reveals no location, device, or person', async () => {
  const orientation = fc.integer({ min: 1, max: 8 })
  const picks = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 })
  const door = fc.constantFrom(...Object.keys(doors))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...imageFormats), orientation, picks, door, async (format, turn, chosen, way) => {
      const bytes = await secretImage(format, turn, chosen)
      expect(secretsIn(bytes)).not.toEqual([])
      const mimeType = `image/${format.split(' ').at(-1)}` as MediaType
      const id = await doors[way]?.(bytes, mimeType)
      const { url, fileSize } = await fixture.kit.api.media.get({ params: { id: id ?? '' } })
      const clean = await load(url)
      expect(secretsIn(clean)).toEqual([])
      expect(await shownBy(clean)).toEqual(await shownBy(bytes))
      expect(fileSize).toBe(clean.length)
      const { exif, xmp, iptc, comments } = await sharp(clean).metadata()
      // Nothing but the orientation.
      expect((exif?.length ?? 0) <= 32).toBe(true)
      expect([xmp, iptc, comments]).toEqual([undefined, undefined, undefined])
      const again = await fixture.kit.api.media.get({
        params: { id: (await doors['inline']?.(clean, mimeType)) ?? '' },
      })
      expect((await load(again.url)).equals(clean)).toBe(true)
    }),
    { numRuns: 15 },
  )
}, 60_000)

test.each([
  'qt  ',
  'isom',
] as const)('a film of the brand %s reveals none of them, and has the same samples at the same times', async (brand) => {
  // Two parts of an upload: pictures that S3 copies, and an index that is sent.
  for (const size of [60_000, 6_000_000]) {
    const film = secretFilm(brand, size)
    const mimeType = brand === 'isom' ? 'video/mp4' : 'video/quicktime'
    const { url } = await fixture.kit.api.media.get({ params: { id: await uploadFile(fixture.kit, mimeType, film) } })
    const clean = await load(url)
    expect(secretsIn(film)).toHaveLength(3)
    expect(secretsIn(clean)).toEqual([])
    const [before, after] = [await readBack(film), await readBack(clean)]
    expect(after.tracks.length).toBe(2)
    expect(after).toEqual({ ...before, tracks: before.tracks.slice(0, 2) })
  }
})

/** A file as an earlier release stored it: with all its metadata. */
const storedBefore = async (mimeType: MediaType, bytes: Buffer): Promise<string> => {
  const id = await uploadFile(fixture.kit, mimeType, bytes)
  const key = { workspaceId: fixture.kit.workspaceId, id }
  const { storageKey } = (await assets.get(fixture.kit.ctx, key)) ?? { storageKey: '' }
  await putFile(fixture.kit.ctx, storageKey, bytes, mimeType)
  await update(fixture.kit.ctx, assets.key(key), { set: { fileSize: bytes.length }, remove: ['isClean'] })
  return id
}

/** What is shown of a post on every platform that takes its file. */
const publishEverywhere = async (
  accounts: ReadonlyMap<PlatformId, string>,
  content: string,
  mediaId: string,
  more: object,
) => {
  const { kit } = fixture
  const caller = { baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }
  const metadata = { ...(await metadataFor(caller, [...accounts.keys()], content)), ...more }
  const before = kit.platforms.published().length
  const scheduledAt = new Date(kit.clock.now() + 20 * minuteMs).toISOString()
  const body = { content, metadata, mediaUrls: [mediaId], scheduledAt }
  const { issues } = await kit.api.posts.validate({ body: { ...body, socialAccountIds: [...accounts.values()] } })
  const refused = new Set(issues.map(({ socialAccountId }) => socialAccountId))
  const socialAccountIds = [...accounts.values()].filter((id) => !refused.has(id))
  await kit.api.posts.schedule({ body: { ...body, socialAccountIds } })
  await kit.service.pass(40 * minuteMs)
  return kit.platforms.published().slice(before)
}

test('no platform gets the secrets, neither in a new file nor in one that an earlier release stored', async () => {
  const accounts = new Map<PlatformId, string>()
  for (const platform of platformIds) {
    const { kit } = fixture
    const own = { bluesky: kit.accounts.bluesky, discord: kit.accounts.discord } as Record<string, string>
    accounts.set(platform, own[platform] ?? (await connectOn(kit, platform)))
  }
  const photo = await secretImage('jpeg', 6, [0, 2, 3], () => noise(480, 400))
  const film = secretFilm('qt  ', 80_000)
  const asFilm = { instagram: { format: 'reel' } }
  const photoTakers = platformIds.filter((id) => !['tiktok', 'youtube'].includes(id))
  const filmTakers = platformIds.filter((id) => !['facebook', 'pinterest', 'reddit'].includes(id))
  for (const [content, id, takers, more] of [
    ['A new photo', await uploadFile(fixture.kit, 'image/jpeg', photo), photoTakers, {}],
    ['An old photo', await storedBefore('image/jpeg', photo), photoTakers, {}],
    ['A new film', await uploadFile(fixture.kit, 'video/quicktime', film), filmTakers, asFilm],
    ['An old film', await storedBefore('video/quicktime', film), filmTakers, asFilm],
  ] as const) {
    const shown = await publishEverywhere(accounts, content, id, more)
    expect([content, shown.map(({ platform }) => platform).toSorted()]).toEqual([content, takers.toSorted()])
    for (const { platform, media } of shown) {
      for (const address of media)
        expect([platform, content, secretsIn(await load(address))]).toEqual([platform, content, []])
    }
  }
}, 120_000)

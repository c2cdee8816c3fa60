import { setTimeout as sleep, setImmediate as yieldOnce } from 'node:timers/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGone, readObject, removeObject } from '../../shared/aws/bucket.ts'
import type { Context } from '../../shared/context.ts'
import { cleanFile } from '../../shared/media/clean-file.ts'
import { shrink } from '../../shared/media/convert/encode.ts'
import { convertImage } from '../../shared/media/convert-image.ts'
import { convertedImage } from '../../shared/media/converted-image.ts'
import type { ImageFormat } from '../../shared/media/image-formats.ts'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { remuxVideo } from '../../shared/media/remux-video.ts'
import { convertFiles, mustConvert } from '../../shared/platforms/convert-files.ts'
import type { MediaRule, PlatformDefinition } from '../../shared/platforms/definition.ts'
import { failureOf, startSite } from '../platforms/site.ts'
import { scansJpeg } from './bombs/jpeg.ts'
import { png } from './files.ts'
import { colorAt, film, halves, noise, withExif } from './pictures.ts'

let site: Awaited<ReturnType<typeof startSite>>
let ctx: Context
beforeAll(async () => {
  site = await startSite()
  ctx = site.ctx()
})
afterAll(() => site.close())

const jpegOnly: ImageFormat = { types: ['image/jpeg'], maxBytes: 1_000_000 }

/** An image in the bucket, described as measured at its upload. */
const upload = async (bytes: Uint8Array, more: Partial<MediaFile> = {}) => {
  const { format, width, height } = await sharp(bytes).metadata()
  return site.file(
    { mimeType: `image/${format}`, width, height, originalFilename: 'dot.png', isClean: true, ...more },
    bytes,
  )
}

const convert = (file: MediaFile, sent: ImageFormat) => convertImage(ctx, 'ws_1', file, sent)
/** The error that a conversion ends with. */
const conversionFailure = (conversion: Promise<MediaFile>): Promise<unknown> =>
  conversion.then(
    () => {
      throw new Error('expected a failure')
    },
    (error: unknown) => error,
  )

const bytesOf = (file: MediaFile) => readObject(ctx, file.storageKey)

describe('a file that fits', () => {
  const image = { mimeType: 'image/png', fileSize: 1000, width: 200, height: 100 }
  const sent: ImageFormat = { types: ['image/jpeg', 'image/png'], maxBytes: 1000, maxWidth: 200, maxHeight: 100 }

  test('is sent unchanged, without a lookup', async () => {
    const file = { ...(await site.file()), ...image }
    const before = site.effects.length
    expect(await convert(file, sent)).toBe(file)
    expect(site.effects.length).toBe(before)
  })

  test.each([
    ['a byte more', { maxBytes: 999 }],
    ['a column more', { maxWidth: 199 }],
    ['a row more', { maxHeight: 99 }],
    ['another type', { types: ['image/jpeg'] as const }],
  ])('fits no more with %s', async (_, less) => {
    const bytes = png(200, 100)
    const file = { ...(await site.file({}, bytes)), ...image }
    expect(await convert(file, { ...sent, ...less })).not.toBe(file)
  })

  test('is measured where dimensions are missing', async () => {
    const { width: _, ...unmeasured } = await upload(await noise(200, 100).jpeg().toBuffer())
    expect(await convert(unmeasured, { ...sent, maxBytes: 50_000 })).toMatchObject({
      mimeType: 'image/jpeg',
      width: 200,
      height: 100,
    })
  })
})

const converters = { clean: cleanFile, image: convertImage, video: remuxVideo }

test('reduces quality before dimensions', async () => {
  const file = await upload(await noise(1000, 800, 20).png().toBuffer())
  expect(file.fileSize).toBeGreaterThan(1_000_000)
  const made = await convert(file, jpegOnly)
  expect(made).toMatchObject({ id: file.id, mimeType: 'image/jpeg', width: 1000, height: 800 })
  expect(made.fileSize).toBeLessThanOrEqual(1_000_000)
  expect(made.fileSize).toBeGreaterThan(300_000)
  const bytes = await bytesOf(made)
  expect(bytes.byteLength).toBe(made.fileSize)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1000, height: 800 })
})

test.each([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
] as const)('reduces dimensions when quality is not enough, as %s', async (type) => {
  const sent = { types: [type], maxBytes: 6_000 }
  const file = await upload(await noise(200, 150).png().toBuffer())
  const made = await convert(file, sent)
  expect(made.fileSize).toBeLessThanOrEqual(6_000)
  expect(made.fileSize).toBeGreaterThan(2_000)
  expect(made.width).toBeLessThan(200)
  const shown = await sharp(await bytesOf(made)).metadata()
  expect(shown).toMatchObject({ format: type.slice(6), width: made.width, height: made.height })
  expect(shown.width / shown.height).toBeCloseTo(200 / 150, 1)
})

test("respects the platform's bounds and keeps the aspect ratio", async () => {
  const file = await upload(await halves(4000, 5000).jpeg({ quality: 30 }).toBuffer())
  expect(await convert(file, { ...jpegOnly, maxBytes: 8_000_000, maxWidth: 1440 })).toMatchObject({
    width: 1440,
    height: 1800,
  })
  const low = await convert(file, { ...jpegOnly, maxBytes: 8_000_000, maxWidth: 3999, maxHeight: 1000 })
  expect(low).toMatchObject({ width: 800, height: 1000 })
})

test('reuses a converted file until it is about to expire', async () => {
  const file = await upload(await noise(300, 200).png().toBuffer())
  const first = await convert(file, jpegOnly)
  expect(first.storageKey).toMatch(new RegExp(`^media/derived/ws_1/${file.id}/[0-9a-f]{24}\\.jpg$`))
  const effectsOf = async (sent: ImageFormat) => {
    const before = site.effects.length
    const made = await convert(file, sent)
    return { made, actions: site.effects.slice(before).map(({ action }) => action) }
  }
  expect(await effectsOf(jpegOnly)).toEqual({ made: first, actions: ['HeadObject'] })
  const other = await effectsOf({ ...jpegOnly, maxWidth: 100 })
  expect(other.actions).toEqual(['HeadObject', 'GetObject', 'PutObject'])
  expect(other.made.storageKey).not.toBe(first.storageKey)
  site.pass(6.1 * 86_400_000)
  expect((await effectsOf(jpegOnly)).actions).toEqual(['HeadObject', 'GetObject', 'PutObject'])
})

test('strips EXIF metadata and applies the orientation', async () => {
  const bytes = await withExif(halves(400, 200), 6).jpeg().toBuffer()
  expect(Buffer.from(bytes).includes('Lens & Sons')).toBe(true)
  const made = await convert(await upload(bytes), { ...jpegOnly, maxWidth: 100 })
  expect(made).toMatchObject({ width: 100, height: 200 })
  const sent = await bytesOf(made)
  const { exif, orientation, icc, xmp } = await sharp(sent).metadata()
  expect({ exif, orientation, icc, xmp }).toEqual({})
  expect(Buffer.from(sent).includes('Lens & Sons')).toBe(false)
  // Turned by a quarter to the right, the left half is on top.
  expect(await colorAt(sent, 50, 20)).toEqual([
    expect.toSatisfy((red) => red > 200),
    expect.anything(),
    expect.toSatisfy((blue) => blue < 60),
  ])
  expect((await colorAt(sent, 50, 180))[2]).toBeGreaterThan(200)
})

test('sends the first frame of an animation where the platform accepts no animation', async () => {
  const file = await upload(await film(60, 40))
  expect(file.mimeType).toBe('image/gif')
  const made = await convert(file, jpegOnly)
  expect(made).toMatchObject({ mimeType: 'image/jpeg', width: 60, height: 40 })
  expect((await colorAt(await bytesOf(made), 30, 20))[0]).toBeGreaterThan(200)
})

test('flattens transparency to white in a JPEG, and keeps it elsewhere', async () => {
  const background = { r: 255, g: 0, b: 0, alpha: 0 }
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 4, background } })
    .png()
    .toBuffer()
  const file = await upload(bytes)
  expect(await colorAt(await bytesOf(await convert(file, jpegOnly)), 20, 20)).toEqual([255, 255, 255])
  const clear = await bytesOf(await convert(file, { types: ['image/webp'], maxBytes: 50_000 }))
  expect(await sharp(clear).metadata()).toMatchObject({ hasAlpha: true, format: 'webp' })
})

test('converts grayscale, 16-bit, and CMYK images to sRGB', async () => {
  const grey = await noise(30, 20).greyscale().toColourspace('b-w').png().toBuffer()
  const deep = await halves(30, 20).toColourspace('rgb16').png().toBuffer()
  const printed = await halves(30, 20).toColourspace('cmyk').jpeg().toBuffer()
  for (const bytes of [grey, deep, printed]) {
    const made = await bytesOf(await convert(await upload(bytes), { ...jpegOnly, maxWidth: 20 }))
    const { space, depth } = await sharp(made).metadata()
    expect({ space, depth }).toEqual({ space: expect.stringMatching(/^(srgb|b-w)$/), depth: 'uchar' })
  }
})

describe('rejects anything but an image with a message', () => {
  const refusal = 'holiday.png is damaged and cannot be read as an image. Upload it again, then reschedule the post.'
  const named = { originalFilename: 'holiday.png', mimeType: 'image/png' }

  test.each([
    ['noise', async () => Buffer.from('not a picture at all')],
    ['nothing', async () => Buffer.from([0x89])],
    ['a header without a picture', async () => png(5000, 5000).subarray(0, 60)],
    ['half a picture', async () => (await noise(400, 400).jpeg().toBuffer()).subarray(0, 40_000)],
    [
      'a drawing that could fetch files',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
  ])('%s', async (_, make) => {
    const file = await site.file(named, await make())
    const failure = await conversionFailure(convert(file, jpegOnly))
    expect(failure).toMatchObject({ name: 'ConversionError', message: refusal })
  })

  test('a decompression bomb', async () => {
    const flat = sharp({
      create: { width: 10_001, height: 10_000, channels: 3, background: '#ffffff' },
      limitInputPixels: false,
    })
    const file = await site.file(named, await flat.png({ compressionLevel: 9, palette: false }).toBuffer())
    expect(file.fileSize).toBeLessThan(1_000_000)
    expect(await conversionFailure(convert(file, jpegOnly))).toMatchObject({
      name: 'ConversionError',
      message:
        'holiday.png has 10001 x 10000 pixels, too many to convert. Upload a smaller image, then reschedule the post.',
    })
  })
})

test('converts one image at a time', async () => {
  const files = await Promise.all(
    [1, 2, 3].map(async (n) =>
      upload(
        await noise(30 + n, 20)
          .png()
          .toBuffer(),
      ),
    ),
  )
  const before = site.effects.length
  await Promise.all(files.map((file) => convert(file, jpegOnly)))
  const actions = site.effects.slice(before).map(({ action }) => action)
  const bytes = actions.filter((action) => action !== 'HeadObject')
  expect(bytes).toEqual(['GetObject', 'PutObject', 'GetObject', 'PutObject', 'GetObject', 'PutObject'])
})

test('an image that waits too long for others is retried later', async () => {
  const slow = await upload(scansJpeg(9984, 9984, 60))
  const quick = await upload(await noise(300, 200).jpeg().toBuffer())
  const [mine, sent] = [site.ctx(), { ...jpegOnly, maxWidth: 100 }]
  const before = site.effects.length
  const first = convertImage(mine, 'ws_1', slow, sent)
  const isRead = () => site.effects.slice(before).some(({ action }) => action === 'GetObject')
  while (!isRead()) await yieldOnce()
  const second = conversionFailure(convertImage(mine, 'ws_1', quick, sent))
  // Long enough to stand in line, and not as long as the first one takes.
  await sleep(100)
  site.pass(11_000)
  expect((await first).width).toBe(100)
  expect(await second).toMatchObject({ name: 'NotConverted', message: 'dot.png was not converted in time.' })
  expect((await convertImage(mine, 'ws_1', quick, sent)).mimeType).toBe('image/jpeg')
})

test('an earlier conversion is found without its bytes, and so is a failure', async () => {
  const [whole, large] = await Promise.all([upload(await noise(300, 200).png().toBuffer()), site.file()])
  const broken = await site.file({ mimeType: 'image/png', originalFilename: 'broken.png' }, Buffer.from('broken'))
  const find = (file: MediaFile) => convertedImage(ctx, 'ws_1', file, jpegOnly)
  expect(await conversionFailure(find(whole))).toMatchObject({ name: 'NotConverted' })
  const converted = await convert(whole, jpegOnly)
  await conversionFailure(convert(broken, jpegOnly))
  const before = site.effects.length
  expect(await find(whole)).toEqual(converted)
  expect(await conversionFailure(find(broken))).toMatchObject({
    name: 'ConversionError',
    message: expect.stringMatching(/^broken\.png is damaged/),
  })
  expect(site.effects.slice(before).map(({ action }) => action)).toEqual(['HeadObject', 'HeadObject'])
  await removeObject(ctx, large.storageKey)
  expect(isGone(await conversionFailure(find({ ...large, mimeType: 'image/webp' })))).toBe(true)
})

test('a failed image does not block the next one', async () => {
  const broken = await site.file({ mimeType: 'image/png' }, Buffer.from('broken'))
  const whole = await upload(await noise(30, 20).png().toBuffer())
  const [first, second] = await Promise.allSettled([convert(broken, jpegOnly), convert(whole, jpegOnly)])
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
})

test('the matching rule decides the conversion', async () => {
  const image = { max: 4, types: ['image/png'], maxBytes: 50_000_000 }
  const story: MediaRule = { when: { format: ['story'] }, min: 1, max: 1, image, mixed: false, source: 'test' }
  const feed: MediaRule = { ...story, image: { ...image, sent: jpegOnly } }
  const { when: _, ...always } = feed
  const assetFields = { cover: { ...image, sent: jpegOnly } }
  const rules: PlatformDefinition['rules'] = { measures: [], media: [story, always], assetFields, emptyText: 'always' }
  const definition: PlatformDefinition = {
    id: 'instagram',
    name: 'Instagram',
    api: { version: null, endsOn: null, source: 'test' },
    postsAt: [],
    connect: 'oauth',
    rules,
  }
  const picture = await upload(await noise(30, 20).png().toBuffer())
  const video = { ...picture, id: 'video', mimeType: 'video/mp4' }
  const files = { media: [video, picture], assets: { cover: picture, other: picture } }
  const convertWith = (metadata: unknown) => convertFiles(ctx, 'ws_1', { definition, metadata, files }, converters)
  expect(mustConvert(definition, { format: 'story' }, { ...files, assets: {} })).toBe(false)
  expect(mustConvert(definition, { format: 'story' }, files)).toBe(true)
  expect(mustConvert(definition, undefined, { ...files, assets: {} })).toBe(true)
  expect(mustConvert(definition, undefined, { media: [video], assets: { other: picture } })).toBe(false)
  expect(await convertWith({ format: 'story' })).toMatchObject({
    media: [video, picture],
  })
  const converted = { id: picture.id, mimeType: 'image/jpeg' }
  expect(await convertWith(undefined)).toMatchObject({
    media: [video, converted],
    assets: { cover: converted, other: picture },
  })
})

test('an image that cannot be converted throws a PlatformError', async () => {
  const broken = await site.file({ mimeType: 'image/png', originalFilename: 'broken.png' }, Buffer.from('broken'))
  const image = { max: 1, types: ['image/png'], maxBytes: 1000, sent: jpegOnly }
  const rules: PlatformDefinition['rules'] = {
    measures: [],
    media: [{ min: 1, max: 1, image, mixed: false, source: 'test' }],
    emptyText: 'always',
  }
  const files = { media: [broken], assets: {} }
  const definition: PlatformDefinition = {
    id: 'instagram',
    name: 'Instagram',
    api: { version: null, endsOn: null, source: 'test' },
    postsAt: [],
    connect: 'oauth',
    rules,
  }
  const failure = await failureOf(convertFiles(ctx, 'ws_1', { definition, metadata: undefined, files }, converters))
  expect(failure).toMatchObject({ errorClass: 'invalid', message: expect.stringMatching(/^broken\.png is damaged/) })
})

test('scaling down keeps the aspect ratio and never grows', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, fc.double({ min: 0.0001, max: 1, noNaN: true }), (width, height, factor) => {
      const small = shrink({ width, height }, factor)
      expect(small.width).toBeGreaterThanOrEqual(1)
      expect(small.height).toBeGreaterThanOrEqual(1)
      expect(small.width).toBeLessThanOrEqual(Math.max(1, width * factor))
      expect(small.height).toBeLessThanOrEqual(Math.max(1, height * factor))
    }),
  )
  expect(shrink({ width: 4000, height: 5000 }, 0.3333)).toEqual({ width: 1332, height: 1665 })
})

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../shared/errors/refusal.ts'
import { sniff } from '../../shared/media/inspect/sniff.ts'
import { openSource } from '../../shared/media/inspect/source.ts'
import { mediaTypes } from '../../shared/media/types.ts'
import { box, clip } from './clips.ts'
import { film, gif, jpeg, png, segment, webp } from './files.ts'
import { look, type Seen } from './look.ts'
import { makeSamples, type Sample } from './samples.ts'

let samples: readonly Sample[]
beforeAll(async () => {
  samples = await makeSamples()
})

/** What a look may cost, whatever the file says of itself. */
const maxReads = 120
const maxBytes = 64 * 1024 * 1024

const codeOf = ({ error }: Seen) => (error instanceof Refusal ? error.details.code : error)

const flaws = [
  'media_truncated',
  'media_damaged',
  'media_polyglot',
  'media_complex',
  'media_pixels',
  'media_no_video',
  'media_fragmented',
]

/** Any inspected file is either valid or refused with a message, at a bounded cost. */
const expectAnswer = (seen: Seen) => {
  if (seen.info) {
    const { width, height } = seen.info
    // Of a document nothing is measured.
    const pixels = width === undefined || height === undefined ? 1 : width * height
    expect(pixels).toBeGreaterThan(0)
    expect(pixels).toBeLessThanOrEqual(100_000_000)
  } else expect([...flaws, 'media_type']).toContain(codeOf(seen))
  expect(seen.reads).toBeLessThanOrEqual(maxReads)
  expect(seen.bytes).toBeLessThanOrEqual(maxBytes)
}

test('recognizes files of cameras, phones, and programs', async () => {
  for (const { name, mimeType, bytes, info } of samples) {
    const seen = await look(bytes)
    expect([name, sniff(bytes), seen.mimeType, seen.info]).toEqual([name, mimeType, mimeType, info])
  }
})

test('reads only the index of a video, no frames and no sound', async () => {
  const long = clip({ bytes: 50_000_000, indexLast: true, sound: true })
  expect(await look(long)).toMatchObject({
    info: { durationMs: 15_000 },
    reads: 4,
    bytes: 262_144 + 66_449,
  })
})

test('stops reading at a bounded cost', async () => {
  const open = () => openSource(2 ** 30, async (from, to) => Buffer.alloc(to - from))
  const [many, large] = [await open(), await open()]
  const tooMuch = { details: { code: 'media_damaged' } }
  for (let n = 1; n < maxReads; n += 1) await many.read(500_000 + n, 500_001 + n)
  await expect(many.read(500_000, 500_001)).rejects.toMatchObject(tooMuch)
  await large.read(500_000, maxBytes - 1_000_000)
  await expect(large.read(500_000, 2_500_000)).rejects.toMatchObject(tooMuch)
})

test('rejects a file that is truncated anywhere', async () => {
  const whole = samples.filter(({ name, bytes }) => bytes.length < 1300 && !/phone|Samsung|maker|zeros/.test(name))
  expect(new Set(whole.map(({ mimeType }) => mimeType)).size).toBe(4)
  const films = samples.filter(({ mimeType, bytes }) => mimeType.startsWith('video/') && bytes.length < 3000)
  expect(films.length).toBeGreaterThan(4)
  for (const { name, bytes } of [...whole, ...films]) {
    for (let end = 0; end < bytes.length; end += 1) {
      const seen = await look(bytes.subarray(0, end))
      // A GIF needs no trailer: its blocks end with a zero, and the rest of a moving one can be missing.
      if (seen.mimeType === 'image/gif' && bytes[end - 1] === 0) continue
      const code = codeOf(seen)
      const expected = end < 32 ? expect.stringMatching(/^media_(type|truncated)$/) : 'media_truncated'
      expect([name, end, code]).toEqual([name, end, expected])
    }
  }
})

test('a file with random changes is accepted or rejected with a message, at a bounded cost', async () => {
  const file = fc.nat().map((n) => samples[n % samples.length])
  const changes = fc.array(
    fc.tuple(
      fc.nat(),
      fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 0x7f, 0x80, 0xff)),
      fc.integer({ min: 1, max: 4 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(file, changes, fc.boolean(), async (sample, list, early) => {
      if (sample === undefined) return
      const changed = Buffer.from(sample.bytes)
      const reach = early ? Math.min(changed.length, 1500) : changed.length
      for (const [at, byte, count] of list)
        changed.fill(byte, at % reach, Math.min(changed.length, (at % reach) + count))
      expectAnswer(await look(changed))
    }),
    { numRuns: 1500 },
  )
}, 30_000)

test('random bytes, also after a valid header, cause no other error than a rejection', async () => {
  const starts = [png(3, 4), jpeg(3, 4), gif(3, 4), webp.lossy(3, 4), webp.extended(3, 4), clip(), film('isom', 'mp42')]
  const bytes = fc.tuple(fc.constantFrom(...starts), fc.nat({ max: 60 }), fc.uint8Array({ maxLength: 90 }))
  await fc.assert(
    fc.asyncProperty(bytes, async ([head, cut, tail]) => {
      const file = Buffer.concat([head.subarray(0, cut), tail])
      expect([undefined, ...mediaTypes]).toContain(sniff(file))
      expectAnswer(await look(file))
    }),
    { numRuns: 3000 },
  )
})

const images: readonly [string, (width: number, height: number) => Buffer, number][] = [
  ['PNG', png, 30_000],
  ['JPEG', jpeg, 65_535],
  ['GIF87a', (width, height) => gif(width, height, 'GIF87a'), 65_535],
  ['GIF89a', gif, 65_535],
  ['lossy WebP', webp.lossy, 16_383],
  ['lossless WebP', webp.lossless, 16_384],
  ['extended WebP', webp.extended, 16_000],
]

describe.each(images)('%s', (_name, make, longest) => {
  test('returns any dimensions', async () => {
    const side = fc.integer({ min: 1, max: 300 })
    await fc.assert(
      fc.asyncProperty(side, fc.oneof(side, fc.constant(longest)), async (width, height) => {
        expect((await look(make(width, height))).info).toEqual({ width, height })
      }),
      { numRuns: 40 },
    )
  })

  test('rejects more than 100 million pixels, accepts 100 million', async () => {
    expect(codeOf(await look(make(10_000, 10_001)))).toBe('media_pixels')
    expect((await look(make(10_000, 10_000))).info).toEqual({ width: 10_000, height: 10_000 })
  })
})

test('rejects an image of zero width or height', async () => {
  for (const [, make] of images.slice(0, 5)) {
    expect(codeOf(await look(make(0, 5)))).toBe('media_damaged')
    expect(codeOf(await look(make(5, 0)))).toBe('media_damaged')
  }
})

test('finds the frame of a JPEG after any segments, fill bytes, and lone markers', async () => {
  const marker = fc.constantFrom(0xc4, 0xc8, 0xcc, 0xdb, 0xdd, 0xe1, 0xe2, 0xed, 0xfe)
  const before = fc.oneof(
    fc.tuple(marker, fc.uint8Array({ maxLength: 400 })).map(([id, data]) => segment(id, Buffer.from(data))),
    fc.constantFrom(0x01, 0xd0, 0xd7).map((id) => Buffer.from([0xff, id])),
    fc.integer({ min: 1, max: 9 }).map((count) => Buffer.alloc(count, 0xff)),
  )
  const frame = fc.constantFrom(0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xca, 0xcf)
  await fc.assert(
    fc.asyncProperty(fc.array(before, { maxLength: 12 }), frame, async (segments, id) => {
      const { info } = await look(jpeg(640, 480, segments, id))
      expect(info).toEqual({ width: 640, height: 480 })
    }),
  )
})

/** A file with a few bytes replaced. */
const patched = (file: Buffer, at: number, hex: string) => {
  const bytes = Buffer.from(file)
  bytes.write(hex, at, 'hex')
  return bytes
}

const mp4 = (...boxes: readonly Buffer[]) => Buffer.concat([clip().subarray(0, 32), ...boxes])

test.each<[string, Buffer]>([
  ['a PNG whose first chunk is too long', patched(png(3, 4), 8, '0000000e')],
  ['a PNG whose first chunk is another', patched(png(3, 4), 12, '43674249')],
  ['a PNG with a wrong checksum', patched(png(3, 4), 29, '00000000')],
  ['a PNG without a picture', Buffer.concat([png(3, 4).subarray(0, 33), png(3, 4).subarray(-12)])],
  ['a lossy WebP that begins within a film', patched(webp.lossy(3, 4), 20, '91')],
  ['a lossy WebP without its start code', patched(webp.lossy(3, 4), 23, '000000')],
  ['a lossless WebP without its sign', patched(webp.lossless(3, 4), 20, '00')],
  ['a WebP of no known form', patched(webp.lossy(3, 4), 12, '41424344')],
  ['a JPEG in a JPEG', jpeg(3, 4, [Buffer.from('ffd8', 'hex')])],
  ['a JPEG that ends before its frame', jpeg(3, 4, [Buffer.from('ffd9', 'hex')])],
  ['a GIF with a block of no kind', patched(gif(3, 4), 19, '2d')],
  ['a film with an endless table of samples', patched(clip(), clip().indexOf('stts') + 8, 'ffffffff')],
  ['a film with a box that leaves its place', patched(clip(), clip().indexOf('mvhd') - 4, '00ffffff')],
  ['a film that lasts for years', clip({ durationMs: 2_000_000_000 })],
  ['a film of a thousand parts', mp4(...Array.from({ length: 1000 }, () => box('free')))],
])('rejects %s as damaged', async (_title, file) => {
  expect(codeOf(await look(file))).toBe('media_damaged')
})

test.each([
  ['video/mp4', film('isom', 'isom', 'iso2', 'avc1', 'mp41')],
  ['video/mp4', film('mp42', 'mp42', 'isom')],
  ['video/mp4', film('M4V ', 'M4V ', 'mp42')],
  ['video/mp4', film('XAVC', 'XAVC', 'mp42', 'iso2')],
  ['video/quicktime', film('qt  ', 'qt  ')],
])('recognizes %s by its brands', (type, file) => {
  expect(sniff(file)).toBe(type)
})

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['HTML that mentions a PNG', Buffer.from(' \x89PNG\r\n\x1a\n', 'latin1')],
  ['AVIF that could be a film', film('avif', 'mif1', 'iso8')],
  ['an unknown brand', film('abcd', 'efgh')],
  ['a brand behind the end of its box', Buffer.from('\0\0\0\x10ftypabcd\0\0\0\0isom', 'latin1')],
  ['RIFF of another kind', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ['nothing', Buffer.alloc(0)],
])('%s is not a supported type', (_title, file) => {
  expect(sniff(file)).toBeUndefined()
})

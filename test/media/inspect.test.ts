import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageSize } from '../../shared/media/inspect/image-size.ts'
import { sniff } from '../../shared/media/inspect/sniff.ts'
import { type MediaType, mediaTypes } from '../../shared/media/types.ts'
import { film, gif, jpeg, png, segment, webp } from './files.ts'

const images: readonly [string, MediaType, (width: number, height: number) => Buffer, number][] = [
  ['PNG', 'image/png', png, 2 ** 31 - 1],
  ['JPEG', 'image/jpeg', jpeg, 65_535],
  ['GIF87a', 'image/gif', (width, height) => gif(width, height, 'GIF87a'), 65_535],
  ['GIF89a', 'image/gif', gif, 65_535],
  ['lossy WebP', 'image/webp', webp.lossy, 16_383],
  ['lossless WebP', 'image/webp', webp.lossless, 16_384],
  ['extended WebP', 'image/webp', webp.extended, 2 ** 24],
]

/** Up to which byte a file must be there for its size to be known. */
const headerEnd = (type: MediaType, file: Buffer) =>
  Array.from({ length: file.length + 1 }, (_, end) => end).find((end) => imageSize(type, file.subarray(0, end)))

describe.each(images)('%s', (_name, type, make, largest) => {
  const side = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(largest))

  test('is known by its bytes, and any size comes back', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const file = make(width, height)
        expect([sniff(file), imageSize(type, file)]).toEqual([type, { width, height }])
      }),
      { numRuns: 50 },
    )
  })

  test('cut off anywhere is refused, and never answers another size', () => {
    const file = make(300, 200)
    const end = headerEnd(type, file) ?? 0
    expect(end).toBeGreaterThan(12)
    for (let cut = 0; cut < file.length; cut += 1) {
      const expected = cut < end ? undefined : { width: 300, height: 200 }
      expect([cut, imageSize(type, file.subarray(0, cut))]).toEqual([cut, expected])
    }
  })

  test('with any byte of its first hundred changed never throws', () => {
    const file = make(300, 200)
    fc.assert(
      fc.property(fc.nat({ max: 99 }), fc.nat({ max: 255 }), (at, byte) => {
        const changed = Buffer.from(file)
        changed[at % file.length] = byte
        const size = imageSize(type, changed) ?? { width: 1, height: 1 }
        expect(Math.min(size.width, size.height)).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})

test('the frame of a JPEG is found behind any segments, fill bytes and lone markers', () => {
  const marker = fc.constantFrom(0xc4, 0xc8, 0xcc, 0xdb, 0xdd, 0xe1, 0xe2, 0xed, 0xfe)
  const before = fc.oneof(
    fc.tuple(marker, fc.uint8Array({ maxLength: 400 })).map(([id, data]) => segment(id, Buffer.from(data))),
    fc.constantFrom(0x01, 0xd0, 0xd7).map((id) => Buffer.from([0xff, id])),
    fc.integer({ min: 1, max: 9 }).map((count) => Buffer.alloc(count, 0xff)),
  )
  const frame = fc.constantFrom(0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xca, 0xcf)
  fc.assert(
    fc.property(fc.array(before, { maxLength: 12 }), frame, (segments, id) => {
      expect(imageSize('image/jpeg', jpeg(640, 480, segments, id))).toEqual({ width: 640, height: 480 })
    }),
  )
})

test('a JPEG whose scan or end comes before its frame has no size', () => {
  for (const id of [0xda, 0xd9]) {
    expect(imageSize('image/jpeg', jpeg(640, 480, [segment(id, Buffer.alloc(10))]))).toBeUndefined()
  }
})

/** A file with a few bytes replaced. */
const patched = (file: Buffer, at: number, hex: string) => {
  const bytes = Buffer.from(file)
  bytes.write(hex, at, 'hex')
  return bytes
}

test.each<[string, MediaType, Buffer]>([
  ['a PNG whose first chunk is too long', 'image/png', patched(png(3, 4), 8, '0000000e')],
  ['a PNG whose first chunk is another', 'image/png', patched(png(3, 4), 12, '43674249')],
  ['a lossy WebP that begins within a film', 'image/webp', patched(webp.lossy(3, 4), 20, '91')],
  ['a lossy WebP without its start code', 'image/webp', patched(webp.lossy(3, 4), 23, '000000')],
  ['a lossless WebP without its sign', 'image/webp', patched(webp.lossless(3, 4), 20, '00')],
  ['a WebP of no known form', 'image/webp', patched(webp.lossy(3, 4), 12, '41424344')],
  ['a JPEG with stray bytes between its segments', 'image/jpeg', jpeg(3, 4, [Buffer.from('00c0', 'hex')])],
])('%s has no size', (_what, type, file) => {
  expect([sniff(file), imageSize(type, file)]).toEqual([type, undefined])
})

test('an image of zero width or height is refused', () => {
  for (const [, type, make] of images.slice(0, 5)) {
    expect([imageSize(type, make(0, 5)), imageSize(type, make(5, 0))]).toEqual([undefined, undefined])
  }
})

test('any bytes, also behind a true start, are looked at without throwing', () => {
  const start = fc.constantFrom(...images.map(([, , make]) => make(3, 4)), film('isom', 'mp42'), Buffer.alloc(0))
  const bytes = fc.tuple(start, fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 80 }))
  fc.assert(
    fc.property(bytes, fc.constantFrom(...mediaTypes), ([head, cut, tail], type) => {
      const file = Buffer.concat([head.subarray(0, cut), tail])
      expect([undefined, ...mediaTypes]).toContain(sniff(file))
      const { width, height } = imageSize(type, file) ?? { width: 1, height: 1 }
      expect(Math.min(width, height)).toBeGreaterThan(0)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['video/mp4', film('isom', 'isom', 'iso2', 'avc1', 'mp41')],
  ['video/mp4', film('mp42', 'mp42', 'isom')],
  ['video/mp4', film('M4V ', 'M4V ', 'mp42')],
  ['video/mp4', film('XAVC', 'XAVC', 'mp42', 'iso2')],
  ['video/quicktime', film('qt  ', 'qt  ')],
])('%s is known by its brands', (type, file) => {
  expect(sniff(file)).toBe(type)
})

test.each([
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML that mentions a PNG', Buffer.from(' \x89PNG\r\n\x1a\n', 'latin1')],
  ['HEIC', film('heic', 'mif1', 'heic')],
  ['AVIF that could be a film', film('avif', 'mif1', 'iso8')],
  ['sound', film('M4A ', 'M4A ', 'mp42', 'isom')],
  ['an unknown brand', film('abcd', 'efgh')],
  ['a brand behind the end of its box', Buffer.from('\0\0\0\x10ftypabcd\0\0\0\0isom', 'latin1')],
  ['RIFF of another kind', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ['nothing', Buffer.alloc(0)],
])('%s is none of the types we take', (_what, file) => {
  expect(sniff(file)).toBeUndefined()
})

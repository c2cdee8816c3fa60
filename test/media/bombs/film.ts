import { box, clip } from '../clips.ts'
import { type Bomb, repeated } from './bomb.ts'

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** The boxes at the top of a good film. */
const parts = () => {
  const film = clip()
  const indexAt = film.indexOf('moov') - 4
  const picturesAt = film.indexOf('mdat') - 4
  return {
    brands: film.subarray(0, indexAt),
    index: film.subarray(indexAt + 8, picturesAt),
    pictures: film.subarray(picturesAt),
  }
}

const withTop = (...boxes: readonly Buffer[]) => {
  const { brands, index, pictures } = parts()
  return Buffer.concat([brands, ...boxes, box('moov', index), pictures])
}

const withIndex = (...boxes: readonly Buffer[]) => {
  const { brands, index, pictures } = parts()
  return Buffer.concat([brands, box('moov', ...boxes, index), pictures])
}

/** A good film in which a table claims so many entries. */
const claiming = (table: string, at: number, entries: number) => {
  const film = Buffer.from(clip())
  film.writeUInt32BE(entries, film.indexOf(table) + 4 + at)
  return film
}

const nested = (levels: number) => {
  const heads = Buffer.alloc(levels * 8)
  for (let n = 0; n < levels; n += 1) {
    heads.writeUInt32BE((levels - n) * 8, n * 8)
    heads.write('trak', n * 8 + 4)
  }
  return heads
}

const empty = box('free')
const max = 0xffff_ffff

export const filmBombs: readonly Bomb[] = [
  { name: 'a film of boxes in boxes, 1,000,000 deep', make: () => withIndex(nested(1_000_000)), ends: 'taken' },
  {
    name: 'a film of 3,000,000 boxes in its index',
    make: () => withIndex(repeated(empty, 3_000_000)),
    ends: 'media_complex',
  },
  { name: 'a film of 5,000,000 boxes', make: () => withTop(repeated(empty, 5_000_000)), ends: 'media_damaged' },
  {
    name: 'a film of 100,000 tracks',
    make: () => withIndex(repeated(parts().index.subarray(parts().index.indexOf('trak') - 4), 30_000)),
    ends: 'media_complex',
  },
  {
    name: 'a film with a box that ends where the file ends',
    make: () => withTop(Buffer.concat([u32(0), Buffer.from('free')])),
    ends: 'media_truncated',
  },
  {
    name: 'a film with a long box of no length',
    make: () => withTop(Buffer.concat([u32(1), Buffer.from('free'), u64(0n)])),
    ends: 'media_damaged',
  },
  {
    name: 'a film with a long box that is shorter than its head',
    make: () => withTop(Buffer.concat([u32(1), Buffer.from('free'), u64(8n)])),
    ends: 'media_damaged',
  },
  {
    name: 'a film with a box of 2^64 - 1 bytes',
    make: () => withTop(Buffer.concat([u32(1), Buffer.from('free'), u64(2n ** 64n - 1n)])),
    ends: 'media_truncated',
  },
  {
    name: 'a film with a box of 2^64 - 1 bytes in its index',
    make: () => withIndex(Buffer.concat([u32(1), Buffer.from('free'), u64(2n ** 64n - 1n)])),
    ends: 'media_damaged',
  },
  { name: 'a film whose samples claim 2^32 - 1 runs', make: () => claiming('stts', 4, max), ends: 'media_damaged' },
  { name: 'a film that claims 2^32 - 1 samples', make: () => claiming('stsz', 8, max), ends: 'taken' },
  { name: 'a film that claims 2^32 - 1 chunks', make: () => claiming('stco', 4, max), ends: 'taken' },
  {
    name: 'a film whose index says that it has 900 MB',
    make: () => {
      const film = Buffer.from(clip())
      film.writeUInt32BE(900_000_000, film.indexOf('moov') - 4)
      return film
    },
    ends: 'media_truncated',
  },
  {
    name: 'a film that says it has 65,535 x 65,535 pixels',
    make: () => clip({ width: 65_535, height: 65_535 }),
    ends: 'media_pixels',
  },
].map((bomb) => ({ mimeType: 'video/mp4', ...bomb }) as Bomb)

import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * The parts of a ZIP file (PKWARE APPNOTE 6.3.10), written so that an archive can continue after any entry. Sizes follow
 * the data of an entry (bit 3), because a media file is read once. No entry has 4 GiB; the archive itself can (ZIP64).
 */

/** An entry of the central directory. */
export interface ZipEntry {
  name: string
  crc: number
  size: number
  compressed: number
  /** Where its local header begins. */
  offset: number
  /** In the format of MS-DOS. */
  time: number
}

/** No entry reaches this size. */
export const maxEntryBytes = 0xffff_fffe
const version = 45
/** Sizes follow the data, and names are UTF-8. */
const flags = 0x0808
const deflated = 8
const large = 0xffff_ffff
const many = 0xffff

/** A time as ZIP stores it: date and time of MS-DOS, in UTC. */
export const dosTime = (ms: number): number => {
  const at = new Date(ms)
  const date = (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return date * 0x1_0000 + time
}

/** Fields of 2, 4, or 8 bytes, little-endian. */
const pack = (...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer => {
  const packed = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) packed.writeBigUInt64LE(BigInt(value), at)
    else packed.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return packed
}

export const localHeader = ({ name, time }: Pick<ZipEntry, 'name' | 'time'>): Buffer => {
  const bytes = Buffer.from(name)
  const head = pack([4, 0x0403_4b50], [2, version], [2, flags], [2, deflated], [4, time], [4, 0], [4, 0], [4, 0])
  return Buffer.concat([head, pack([2, bytes.length], [2, 0]), bytes])
}

/** What follows the data of an entry. */
export const dataDescriptor = ({ crc, size, compressed }: Pick<ZipEntry, 'crc' | 'size' | 'compressed'>): Buffer =>
  pack([4, 0x0807_4b50], [4, crc], [4, compressed], [4, size])

const directoryEntry = ({ name, crc, size, compressed, offset, time }: ZipEntry): Buffer => {
  const bytes = Buffer.from(name)
  const extra = offset >= large ? pack([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0)
  const head = pack(
    ...([
      [4, 0x0201_4b50],
      [2, version],
      [2, version],
      [2, flags],
      [2, deflated],
      [4, time],
    ] as const),
    ...([
      [4, crc],
      [4, compressed],
      [4, size],
      [2, bytes.length],
      [2, extra.length],
      [2, 0],
    ] as const),
    ...([
      [2, 0],
      [2, 0],
      [4, 0],
      [4, Math.min(offset, large)],
    ] as const),
  )
  return Buffer.concat([head, bytes, extra])
}

/** The end of the archive: its directory, which begins at `start`. */
export function* centralDirectory(entries: readonly ZipEntry[], start: number): Generator<Buffer> {
  let size = 0
  for (let from = 0; from < entries.length; from += 1000) {
    const some = Buffer.concat(entries.slice(from, from + 1000).map(directoryEntry))
    size += some.length
    yield some
  }
  const count = entries.length
  if (count >= many || start >= large || size >= large) {
    yield pack([4, 0x0606_4b50], [8, 44], [2, version], [2, version], [4, 0], [4, 0], [8, count], [8, count])
    yield pack([8, size], [8, start], [4, 0x0706_4b50], [4, 0], [8, start + size], [4, 1])
  }
  const shown = Math.min(count, many)
  yield pack([4, 0x0605_4b50], [2, 0], [2, 0], [2, shown], [2, shown])
  yield pack([4, Math.min(size, large)], [4, Math.min(start, large)], [2, 0])
}

/** The end of a deflate stream: a last block without content (RFC 1951, 3.2.3). */
export const lastBlock = Buffer.from([3, 0])

/**
 * Bytes as blocks of a deflate stream that ends on a byte and has no last block, so that more can follow (RFC 1951, 3.2).
 * Media is compressed already, so it is only put into stored blocks.
 */
export const deflateBlocks = (bytes: Uint8Array, compress: boolean): Buffer =>
  deflateRawSync(bytes, { level: compress ? 6 : 0, finishFlush: constants.Z_SYNC_FLUSH })

/** The checksum of an entry, continued with more bytes. */
export const continueCrc = (bytes: Uint8Array, before: number): number => crc32(bytes, before)

import { invalidFile } from './invalid-file.ts'

/** A file that is read in pieces. */
export interface Source {
  size: number
  /** Its first bytes. */
  start: Buffer
  /** The bytes of a range, end exclusive; bytes beyond the end of the file are left out. */
  read(from: number, to: number): Promise<Buffer>
}

/** Enough for nearly every header, and for most whole images. */
const firstBytes = 262_144

const maxReads = 120
const maxBytes = 64 * 1024 * 1024

/** A source over reads that cost time and money: the first bytes are read once, and the number of reads is limited. */
export const openSource = async (
  size: number,
  load: (from: number, to: number) => Promise<Uint8Array>,
): Promise<Source> => {
  let reads = 0
  let bytes = 0
  const fetch = async (from: number, to: number) => {
    reads += 1
    bytes += to - from
    if (reads > maxReads || bytes > maxBytes) {
      throw invalidFile('media_damaged', 'has too many separate parts to inspect')
    }
    return Buffer.from(await load(from, to))
  }
  const start = await fetch(0, Math.min(size, firstBytes))
  return {
    size,
    start,
    read: async (from, to) => {
      const end = Math.min(to, size)
      if (end <= from) return Buffer.alloc(0)
      if (end <= start.length) return start.subarray(from, end)
      if (from >= start.length) return fetch(from, end)
      return Buffer.concat([start.subarray(from), await fetch(start.length, end)])
    },
  }
}

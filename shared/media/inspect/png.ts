import { type Size, sizeOf } from './size.ts'

const headerBytes = 33

/** The size of a PNG from its first chunk, which must be IHDR (W3C PNG, 5.6 and 11.2.1). */
export const pngSize = (bytes: Buffer): Size | undefined => {
  if (bytes.length < headerBytes) return undefined
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return sizeOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

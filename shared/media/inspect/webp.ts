import { type Size, sizeOf } from './size.ts'

const startCode = 0x9d012a

/** A key frame of VP8 (RFC 6386, 9.1). */
const lossySize = (bytes: Buffer) => {
  if (bytes.length < 30) return undefined
  const isKeyFrame = (bytes.readUInt8(20) & 1) === 0
  if (!isKeyFrame || bytes.readUIntBE(23, 3) !== startCode) return undefined
  return sizeOf(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
}

/** Two numbers of 14 bits, each one less than its side (RFC 9649, 3.4). */
const losslessSize = (bytes: Buffer) => {
  if (bytes.length < 25 || bytes.readUInt8(20) !== 0x2f) return undefined
  const bits = bytes.readUInt32LE(21)
  return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

/** The canvas of the extended form (RFC 9649, 2.7). */
const extendedSize = (bytes: Buffer) =>
  bytes.length < 30 ? undefined : sizeOf(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)

/** The size of a WebP; its first chunk says in which of three forms it is. */
export const webpSize = (bytes: Buffer): Size | undefined => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return lossySize(bytes)
    case 'VP8L':
      return losslessSize(bytes)
    case 'VP8X':
      return extendedSize(bytes)
    default:
      return undefined
  }
}

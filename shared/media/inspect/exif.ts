import type { Size } from './info.ts'

const orientationTag = 0x0112

/** The Exif orientation, 1 to 8, from the first directory of an Exif block (CIPA DC-008, 4.6.2); 1 if unknown. */
export const orientationIn = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1
  const u16 = (at: number) => {
    if (at + 2 > tiff.length) return 0
    return order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const start = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = u16(start)
  for (let n = 0; n < entries; n += 1) {
    const at = start + 2 + n * 12
    if (at + 12 > tiff.length) return 1
    if (u16(at) !== orientationTag) continue
    const value = u16(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** The size in which an image is shown: orientations from 5 on swap width and height. */
export const uprightSize = ({ width, height }: Size, orientation: number): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** An Exif block with only the orientation: the Exif data that a file keeps. */
export const orientationBlock = (orientation: number): Buffer => {
  const block = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  block.writeUInt16BE(orientation, 18)
  return block
}

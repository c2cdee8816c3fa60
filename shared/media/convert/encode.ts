import type { Sharp } from 'sharp'
import { type ImageFormat, type ImageType, targetTypeOf } from '../image-formats.ts'
import type { Size } from '../inspect/info.ts'
import { loadSharp, type OpenImage, throwDamaged } from './sharp.ts'

/** A decoded image in memory. */
interface RawImage extends Size {
  pixels: Uint8Array
  channels: 1 | 2 | 3 | 4
}

/** Decided: an image that must be converted anyway is sent with at most this many pixels; no platform shows more. */
const maxSentPixels = 25_000_000

/** The largest size of an image within the limits, at its aspect ratio. */
const bounds = ({ width, height }: Size, { maxWidth = width, maxHeight = height }: ImageFormat): number =>
  Math.min(1, maxWidth / width, maxHeight / height, Math.sqrt(maxSentPixels / (width * height)))

/**
 * Decodes an image: its first frame, upright, in sRGB, within the limits of a platform. All metadata of the file, such
 * as location and camera, is dropped.
 */
export const decode = async ({ image, size }: OpenImage, sent: ImageFormat): Promise<RawImage> => {
  const upright = image.resize({ ...shrink(size, bounds(size, sent)), fit: 'fill' })
  // JPEG has no transparency.
  const solid = targetTypeOf(sent) === 'image/jpeg' ? upright.flatten({ background: '#ffffff' }) : upright
  const { data, info } = await solid
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(throwDamaged)
  return { pixels: data, width: info.width, height: info.height, channels: info.channels }
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

/** With fewer steps than this between zero and the full size, too much of the size would be lost. */
const fewestSteps = 20

/**
 * A size multiplied by a factor. Platforms limit the exact aspect ratio, such as 4:5, so it stays exact where whole
 * pixels allow it.
 */
export const shrink = ({ width, height }: Size, factor: number): Size => {
  if (factor >= 1) return { width, height }
  const divisor = commonDivisor(width, height)
  const steps = Math.floor(divisor * factor)
  if (steps >= fewestSteps) return { width: (width / divisor) * steps, height: (height / divisor) * steps }
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
}

/** The ways to encode a type, best first: color detail is reduced before sharpness. */
const ways: Readonly<Record<ImageType, readonly ((image: Sharp) => Sharp)[]>> = {
  'image/jpeg': [
    (image) => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }),
    (image) => image.jpeg({ quality: 82 }),
    (image) => image.jpeg({ quality: 72 }),
  ],
  'image/webp': [(image) => image.webp({ quality: 88 }), (image) => image.webp({ quality: 75 })],
  'image/png': [(image) => image.png({ compressionLevel: 9 })],
  'image/gif': [(image) => image.gif()],
}

/** Encodes an image within the platform's byte limit: first by lowering the quality, then the size. */
export const encode = async (image: RawImage, sent: ImageFormat) => {
  const sharp = await loadSharp()
  const [mimeType, { maxBytes }] = [targetTypeOf(sent), sent]
  const { pixels, channels, width, height } = image
  const raw = { width, height, channels }
  let factor = 1
  for (;;) {
    const size = shrink(image, factor)
    let smallest = Number.POSITIVE_INFINITY
    for (const write of ways[mimeType]) {
      const image = sharp(pixels, { raw }).resize({ ...size, fit: 'fill' })
      const bytes = await write(image).toBuffer()
      if (bytes.byteLength <= maxBytes) return { bytes, mimeType, ...size }
      smallest = Math.min(smallest, bytes.byteLength)
    }
    if (size.width * size.height === 1) throw new Error(`the image cannot be encoded in ${maxBytes} bytes`)
    // Bytes grow a little slower than the area. Each step shrinks by at least a tenth, so that the loop ends.
    factor *= Math.min(0.9, Math.sqrt(maxBytes / smallest) * 0.97)
  }
}

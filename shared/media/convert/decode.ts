import type { ImageFormat } from '../image-format.ts'
import type { Size } from '../inspect/size.ts'
import { type OpenImage, throwDamaged } from './open.ts'
import { shrink } from './shrink.ts'
import { targetTypeOf } from './target-format.ts'

/** A decoded image in memory. */
export interface RawImage extends Size {
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

import type { ImageFormat } from '../image-format.ts'
import type { Size } from '../inspect/size.ts'
import { type OpenImage, throwDamaged } from './open.ts'
import { shrink } from './shrink.ts'
import { targetTypeOf } from './target-format.ts'

/** An image in memory, each pixel by itself. */
export interface RawImage extends Size {
  pixels: Uint8Array
  channels: 1 | 2 | 3 | 4
}

/** Decided: what must be converted anyway is sent with no more pixels than this; no platform shows as many. */
const maxSentPixels = 25_000_000

/** How large the image may be at most, in proportion to what it is. */
const bounds = ({ width, height }: Size, { maxWidth = width, maxHeight = height }: ImageFormat): number =>
  Math.min(1, maxWidth / width, maxHeight / height, Math.sqrt(maxSentPixels / (width * height)))

/**
 * Reads an image: its first frame, upright, in the colors of screens, within the bounds of a platform. Whatever the
 * file holds beside it, place and camera above all, stays behind.
 */
export const decode = async ({ image, size }: OpenImage, sent: ImageFormat): Promise<RawImage> => {
  const upright = image.resize({ ...shrink(size, bounds(size, sent)), fit: 'fill' })
  // A JPEG knows no transparency.
  const solid = targetTypeOf(sent) === 'image/jpeg' ? upright.flatten({ background: '#ffffff' }) : upright
  const { data, info } = await solid
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(throwDamaged)
  return { pixels: data, width: info.width, height: info.height, channels: info.channels }
}

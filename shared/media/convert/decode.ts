import { PlatformError, type SentImage } from '../../platforms/platform.ts'
import type { Size } from '../inspect/size.ts'
import { typeFor } from './form.ts'
import { loadSharp } from './sharp.ts'
import { shrink } from './shrink.ts'

/** An image in memory, each pixel by itself. */
export interface Picture extends Size {
  pixels: Uint8Array
  channels: 1 | 2 | 3 | 4
}

/** Decided: what needs more memory than 100 million pixels of four bytes is not read: a small file can hold a huge image. */
const mostBytes = 400_000_000

/** Decided: what must be converted anyway is sent with no more pixels than this; no platform shows as many. */
const mostSentPixels = 25_000_000

const refuse = (name: string, why: string) => new PlatformError('invalid', `${name} ${why}, then reschedule the post.`)

/** How large the image may be at most, in proportion to what it is. */
const bounds = ({ width, height }: Size, { maxWidth = width, maxHeight = height }: SentImage): number =>
  Math.min(1, maxWidth / width, maxHeight / height, Math.sqrt(mostSentPixels / (width * height)))

/**
 * Reads an image: its first frame, upright, in the colours of screens, within the bounds of a platform. Whatever the
 * file holds beside it, place and camera above all, stays behind.
 */
export const decode = async (name: string, bytes: Uint8Array, sent: SentImage): Promise<Picture> => {
  const sharp = await loadSharp()
  // The header is read first, and its size judged here; a damaged end is as much of an error as a damaged middle.
  const input = { limitInputPixels: false, failOn: 'error' } as const
  const damaged = () => refuse(name, 'is damaged and cannot be read as an image: upload it anew')
  const { width, height, channels, depth, autoOrient } = await sharp(bytes, input)
    .metadata()
    .catch(() => Promise.reject(damaged()))
  const decodedBytes = width * height * Math.max(channels, 4) * (depth === 'uchar' ? 1 : 2)
  if (decodedBytes > mostBytes) {
    throw refuse(name, `has ${width} x ${height} pixels, too many to convert: upload a smaller image`)
  }
  const size = shrink(autoOrient, bounds(autoOrient, sent))
  const upright = sharp(bytes, input)
    .autoOrient()
    .resize({ ...size, fit: 'fill' })
  // A JPEG knows no transparency.
  const solid = typeFor(sent) === 'image/jpeg' ? upright.flatten({ background: '#ffffff' }) : upright
  const { data, info } = await solid
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => Promise.reject(damaged()))
  return { pixels: data, width: info.width, height: info.height, channels: info.channels }
}

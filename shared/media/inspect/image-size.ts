import type { MediaType } from '../types.ts'
import { gifSize } from './gif.ts'
import { jpegSize } from './jpeg.ts'
import { pngSize } from './png.ts'
import type { Size } from './size.ts'
import { webpSize } from './webp.ts'

const readers: Readonly<Partial<Record<MediaType, (bytes: Buffer) => Size | undefined>>> = {
  'image/jpeg': jpegSize,
  'image/png': pngSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
}

/** The size of an image of a known type from its first bytes; undefined where they are damaged or too few. */
export const imageSize = (type: MediaType, bytes: Buffer): Size | undefined => readers[type]?.(bytes)

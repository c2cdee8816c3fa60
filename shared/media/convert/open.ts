import type { SharpOptions } from 'sharp'
import { ImageError } from './image-job.ts'
import { loadSharp } from './sharp.ts'

/**
 * Decided: an image that needs more memory than 100 million pixels of four bytes is not decoded: a small file can
 * contain a huge image.
 */
const maxBytes = 400_000_000

/** The header is read first, and its size is checked here. Damage anywhere in the file is an error, even at its end. */
const options: SharpOptions = { limitInputPixels: false, failOn: 'error', sequentialRead: true }

/** Turns the library's error about a file into `ImageError`. */
export const throwDamaged = (error: unknown): never => {
  throw new ImageError({ why: 'damaged', detail: String(error).slice(0, 300) })
}

/**
 * Reads the header of an image. `size` is the size as shown, `pixels` the number of encoded pixels. Throws
 * `ImageError`.
 */
export const openImage = async (bytes: Uint8Array) => {
  const sharp = await loadSharp()
  const { width, height, channels, depth, autoOrient } = await sharp(bytes, options).metadata().catch(throwDamaged)
  const decodedBytes = width * height * Math.max(channels, 4) * (depth === 'uchar' ? 1 : 2)
  if (decodedBytes > maxBytes) throw new ImageError({ why: 'pixels', width, height })
  return { image: sharp(bytes, options).autoOrient(), size: autoOrient, pixels: width * height }
}

export type OpenImage = Awaited<ReturnType<typeof openImage>>

import type sharp from 'sharp'
import type { SharpOptions } from 'sharp'
import { ImageError } from './image-job.ts'

type Sharp = typeof sharp

/** The accepted formats. The library supports more, and none of the others may read an untrusted file. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}`)

let loading: Promise<Sharp> | undefined

const load = async (): Promise<Sharp> => {
  const { default: library } = await import('sharp')
  library.cache(false)
  library.concurrency(1)
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: readers })
  return library
}

/** The image library. It is native code in a separate layer, so it is loaded on first use. */
export const loadSharp = (): Promise<Sharp> => {
  loading ??= load()
  return loading
}

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

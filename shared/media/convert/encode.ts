import type { Sharp } from 'sharp'
import type { ImageFormat } from '../image-format.ts'
import type { RawImage } from './decode.ts'
import { loadSharp } from './sharp.ts'
import { shrink } from './shrink.ts'
import { type ImageType, targetTypeOf } from './target-format.ts'

/** The ways to write a type, the best first: fine colors are given up before sharpness. */
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

/** Writes an image so that it stays within the platform's bytes: by quality first, then by size. */
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
    if (size.width * size.height === 1) throw new Error(`no image has as few as ${maxBytes} bytes`)
    // Bytes grow a little slower than the area; never less than a tenth smaller, so that it ends.
    factor *= Math.min(0.9, Math.sqrt(maxBytes / smallest) * 0.97)
  }
}

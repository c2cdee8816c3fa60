import type { Sharp } from 'sharp'
import type { ImageFormat } from '../image-format.ts'
import type { RawImage } from './decode.ts'
import { loadSharp } from './sharp.ts'
import { shrink } from './shrink.ts'
import { type ImageType, targetTypeOf } from './target-format.ts'

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

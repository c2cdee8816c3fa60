import { loadSharp } from './sharp.ts'

/** Decided: a preview has at most this many pixels on its longer side. */
const longestSide = 640

/** As much as an upload may have: what is more was refused when it was completed. */
const mostPixels = 100_000_000

/** A small WebP of an image: its first frame, upright, in the colours of screens, with nothing of what cameras write. */
export const drawPreview = async (bytes: Uint8Array) => {
  const sharp = await loadSharp()
  const { data, info } = await sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, mimeType: 'image/webp', width: info.width, height: info.height }
}

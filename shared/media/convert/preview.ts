import type { MadeImage } from './image-job.ts'
import { type OpenImage, throwDamaged } from './open.ts'

/** Decided: the longer side of a preview has at most this many pixels. */
const longestSide = 640

/** A small WebP of an image: its first frame, upright, in sRGB, without metadata. */
export const drawPreview = async ({ image }: OpenImage): Promise<MadeImage> => {
  const { data, info } = await image
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
    .catch(throwDamaged)
  return { bytes: data, mimeType: 'image/webp', width: info.width, height: info.height }
}

import type { MediaType } from '../types.ts'
import { readGif } from './gif.ts'
import type { MediaInfo } from './info.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

const readers: Readonly<Partial<Record<MediaType, (bytes: Buffer) => MediaInfo>>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
}

/** The facts of an image of a known type; reads the whole file. */
export const readImage = (type: MediaType, bytes: Buffer): MediaInfo => {
  const read = readers[type]
  if (read === undefined) throw new Error(`${type} is not an image`)
  return read(bytes)
}

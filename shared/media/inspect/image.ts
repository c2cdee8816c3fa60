import type { MediaType } from '../types.ts'
import { readGif } from './gif.ts'
import type { ReadImage } from './info.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

const readers: Readonly<Partial<Record<MediaType, (bytes: Buffer) => ReadImage>>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
}

/** Reads an image of a known type; reads the whole file. */
export const readImage = (type: MediaType, bytes: Buffer): ReadImage => {
  const read = readers[type]
  if (read === undefined) throw new Error(`${type} is not an image`)
  return read(bytes)
}

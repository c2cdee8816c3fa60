import type { MediaType } from '../types.ts'
import type { MediaFacts } from './facts.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

const readers: Readonly<Partial<Record<MediaType, (bytes: Buffer) => MediaFacts>>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
}

/** The facts of an image of a known type; reads the whole file. */
export const readImage = (type: MediaType, bytes: Buffer): MediaFacts => {
  const read = readers[type]
  if (read === undefined) throw new Error(`${type} is not an image`)
  return read(bytes)
}

import type { MediaFacts } from './facts.ts'
import { assertJpegTrailer } from './jpeg-trailer.ts'
import { walkJpeg } from './jpeg-walk.ts'

/** The size in which a JPEG is shown; throws if unknown data follows it. */
export const readJpeg = (bytes: Buffer): MediaFacts => {
  const { end, size } = walkJpeg(bytes)
  assertJpegTrailer(bytes.subarray(end))
  return size
}

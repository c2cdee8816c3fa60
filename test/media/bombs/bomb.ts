import type { MediaType } from '../../../shared/media/types.ts'

/** A file that costs far more to read than it has bytes, and what a completion makes of it: a code, or it is taken. */
export interface Bomb {
  name: string
  mimeType: MediaType
  make: () => Buffer
  ends: string
}

/** Some bytes over and over. */
export const repeated = (bytes: Buffer, times: number): Buffer => Buffer.alloc(bytes.length * times, bytes)

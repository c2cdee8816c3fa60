import { type Size, sizeOf } from './size.ts'

const headerBytes = 13

/** The size of a GIF from its logical screen descriptor (GIF89a, 18). */
export const gifSize = (bytes: Buffer): Size | undefined =>
  bytes.length < headerBytes ? undefined : sizeOf(bytes.readUInt16LE(6), bytes.readUInt16LE(8))

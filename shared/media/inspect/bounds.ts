import { counted } from '../../text/counting.ts'
import { invalidFile } from './invalid-file.ts'

const piece = Buffer.alloc(65_536)

/** Whether there are only zeros, as cameras and file systems leave them. */
export const isPadding = (bytes: Buffer): boolean => {
  for (let at = 0; at < bytes.length; at += piece.length) {
    const some = bytes.subarray(at, at + piece.length)
    if (!some.equals(piece.subarray(0, some.length))) return false
  }
  return true
}

/** Whether there are only zeros, blanks, and line breaks, as programs and transfers leave them. */
const isBlank = (bytes: Buffer): boolean =>
  isPadding(bytes) || bytes.every((byte) => byte === 0 || byte === 32 || (byte >= 9 && byte <= 13))

const refuseRest = (format: string, rest: Buffer) =>
  invalidFile('media_polyglot', `has ${counted(rest.length, 'byte')} after the end of the ${format}`)

/** Rejects a file if another one begins after its end. */
export const assertEnd = (format: string, rest: Buffer): void => {
  if (!isBlank(rest)) throw refuseRest(format, rest)
}

/** The first bytes of content that a browser, a shell, or an archive program would read, at any position. */
const others = ['<!doctype', '<html', '<head', '<body', '<script', '<svg', '<iframe', '<?php', '<?xml', '<%', '%pdf-']
const signs = ['PK\u0003\u0004', 'Rar!\u001a', '7z\u00bc\u00af', '\u007fELF']

/** Whether there is a page, a script, or an archive in some bytes. */
export const holdsOther = (bytes: Buffer): boolean => {
  const text = bytes.toString('latin1')
  const lower = text.toLowerCase()
  return signs.some((sign) => text.includes(sign)) || others.some((begin) => lower.includes(begin))
}

const firstBytes = 256
/** Only letters, symbols, and line breaks: a script needs no signature. */
const isText = (bytes: Buffer) => bytes.subarray(0, firstBytes).every((byte) => byte >= 9 && byte < 127)

/** Decided: unknown vendor data (depth maps, faces) is accepted, unless it is another file. */
const isMakersOwn = (rest: Buffer): boolean => !isText(rest) && !holdsOther(rest)

/** Rejects an image if another file could follow its end. The bytes there are cut off. */
export const assertTrailer = (format: string, rest: Buffer): void => {
  if (!isBlank(rest) && !isMakersOwn(rest)) throw refuseRest(format, rest)
}

/**
 * Decided: how many parts of each kind a file can have. Cameras and encoders stay far below; each number limits how
 * expensive a small file can be to read.
 */
export const maxParts = {
  /**
   * Scans of a JPEG. Encoders write at most about 20. A scan of a few bytes visits every block of the image, so
   * TurboJPEG refuses more than 500 by `TJFLAG_LIMITSCANS` (libjpeg-turbo, ChangeLog 2.0.7, 2021) and libjpeg-turbo fuzzes
   * with a limit of 100 (its fuzz/ folder, read 2026-11-22).
   */
  scans: 100,
  /** Segments of a JPEG. A color profile and extended XMP take one for each 64 KB. */
  segments: 5_000,
  /** Frames of an animation. X accepts a GIF of 350 (shared/platforms/x/definition.ts). */
  frames: 10_000,
  /** Chunks of image data in a PNG. libpng writes 8 KB into each, so an image of 50 MB has about 6,000. */
  imageChunks: 200_000,
  /** Other chunks of a PNG or WebP, not counting those of its frames. */
  otherChunks: 1_000,
  /** Extension blocks of a GIF: one for each frame, and a few comments. */
  extensions: 25_000,
  /** Sibling boxes in the index of a video. */
  boxes: 200,
  tracks: 100,
} as const

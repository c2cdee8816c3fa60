import type { VideoInfo } from '../video-info.ts'
import { invalidFile } from './invalid-file.ts'

/** The size of an image in pixels. */
export interface Size {
  width: number
  height: number
}

/** An image has no side of zero; a header with one is damaged. */
const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

/** What was measured in the file. */
export interface MediaInfo extends Size {
  /** Only for an animated image. */
  frames?: number
  durationMs?: number
  /** Only for a video. */
  video?: VideoInfo
}

/**
 * The properties of an image, and its parts without metadata about location, device, and person. Joined, they are the clean
 * file: pixels, orientation, color profile, and timing are those of the original.
 */
export interface ReadImage {
  info: MediaInfo
  cleaned: readonly Buffer[]
}

/** What was measured in a file of any kind: nothing for a document. */
export type FileInfo = Partial<MediaInfo>

/**
 * Decided: an image has at most 100 million pixels, with 16-bit samples half as many: no larger image can be converted.
 */
const maxPixels = 100_000_000
/** Decided: all frames of an animation together have at most 2,000 million pixels. */
const maxMovingPixels = 2_000_000_000

/** The size of an image or video; throws if it cannot be shown and converted. */
export const assertSize = (width: number, height: number, bytesPerSample = 1): Size => {
  const size = sizeOf(width, height)
  if (!size) throw invalidFile('media_damaged', `claims to have ${width} x ${height} pixels`)
  const maxArea = maxPixels / bytesPerSample
  if (width * height <= maxArea) return size
  throw invalidFile('media_pixels', `has ${width} x ${height} pixels, more than ${maxArea} in total`)
}

/** The properties of an animation; none for a still image. */
export const motionOf = ({ width, height }: Size, frames: number, durationMs: number) => {
  if (frames * width * height > maxMovingPixels) {
    throw invalidFile(
      'media_pixels',
      `has ${frames} frames of ${width} x ${height} pixels, more than ${maxMovingPixels} in total`,
    )
  }
  if (frames < 2) return {}
  return { frames, ...(durationMs > 0 ? { durationMs: Math.round(durationMs) } : {}) }
}

import type { StoredFailure } from '../../aws/derived-file.ts'
import type { ImageFormat } from '../image-formats.ts'

/** The job of the image process: the preview of an image, or the image in a platform's format. */
export type ImageJob =
  | { kind: 'preview'; bytes: Uint8Array }
  | { kind: 'convert'; bytes: Uint8Array; sent: ImageFormat }

export interface MadeImage {
  bytes: Uint8Array
  mimeType: string
  width: number
  height: number
}

/**
 * Why no image was made.
 * - `damaged`: it cannot be decoded.
 * - `pixels`: it has too many.
 * - `time`, `memory`: it took more CPU time or memory than an image of its size may.
 * - `crashed`: the process crashed on it, twice.
 * - `late`: it was not done within the wall-clock limit. Another try may succeed.
 */
export type ImageFailure =
  | { why: 'damaged'; detail: string }
  | { why: 'pixels'; width: number; height: number }
  | { why: 'time' | 'memory' | 'crashed' }
  | { why: 'late' }

/** A failure that another try would only repeat, and that is therefore stored. */
export type LastingFailure = Exclude<ImageFailure, { why: 'late' }>
export const isLastingFailure = (failure: ImageFailure): failure is LastingFailure => failure.why !== 'late'

/** A failure as stored (`shared/aws/derived-file.ts`). */
export const failureFrom = ({ why, width, height }: StoredFailure): ImageFailure => {
  if (why === 'pixels') return { why, width, height }
  if (why === 'damaged') return { why, detail: 'as stored' }
  return { why: why === 'time' || why === 'memory' ? why : 'crashed' }
}

/** The response of the image process. A process that is `spent` holds so much memory that it should be replaced. */
export type ImageResponse = { made: MadeImage; spent: boolean } | { failure: ImageFailure }

/** Thrown if no image was made, with the reason. */
export class ImageError extends Error {
  override name = 'ImageError'
  readonly failure: ImageFailure
  constructor(failure: ImageFailure) {
    super('detail' in failure ? `${failure.why}: ${failure.detail}` : failure.why)
    this.failure = failure
  }
}

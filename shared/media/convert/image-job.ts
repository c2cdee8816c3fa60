import type { ImageFormat } from '../image-format.ts'

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
  | { why: 'time' | 'memory' | 'crashed' | 'late' }

/** Reasons that are expensive to find, and therefore stored. */
const costly = ['time', 'memory', 'crashed'] as const
export type CostlyFailure = (typeof costly)[number]
export const isCostlyFailure = (why: string | undefined): why is CostlyFailure => costly.some((one) => one === why)

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

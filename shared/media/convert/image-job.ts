import type { ImageFormat } from '../image-format.ts'

/** What the image process is asked for: the preview of an image, or the image as a platform takes it. */
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
 * - `pixels`: it has too many of them.
 * - `time`, `memory`: it took more processor time or memory than an image of its size may.
 * - `crashed`: the process died over it, twice.
 * - `late`: it was not done in time by the clock. Another try may be.
 */
export type ImageFailure =
  | { why: 'damaged'; detail: string }
  | { why: 'pixels'; width: number; height: number }
  | { why: 'time' | 'memory' | 'crashed' | 'late' }

/** Reasons that cost so much to find that they are remembered. */
const costly = ['time', 'memory', 'crashed'] as const
export type CostlyFailure = (typeof costly)[number]
export const isCostlyFailure = (why: string | undefined): why is CostlyFailure => costly.some((one) => one === why)

/** What the image process answers. One that is `spent` kept so much memory that another should do the next job. */
export type ImageResponse = { made: MadeImage; spent: boolean } | { failure: ImageFailure }

/** No image was made, and why. */
export class ImageError extends Error {
  override name = 'ImageError'
  readonly failure: ImageFailure
  constructor(failure: ImageFailure) {
    super('detail' in failure ? `${failure.why}: ${failure.detail}` : failure.why)
    this.failure = failure
  }
}

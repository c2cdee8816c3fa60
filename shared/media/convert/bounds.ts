/**
 * Decided: what one image may cost. The costliest images that are taken (100 million pixels, progressive, turned by their
 * Exif, written as PNG several times) need 6 seconds of processor time and 800 MB, measured 2026-11-22 on x86-64.
 */
export const bounds = {
  /** Processor time for any image. */
  cpuSeconds: 4,
  /** Processor time on top for each million pixels: 100 million have 20 seconds. */
  cpuSecondsPerMegapixel: 0.16,
  /** Resident memory of the image process. Its functions have 1,769 MB for it and themselves. */
  memoryMb: 1200,
  /** Time by the clock. Ends a process that hangs, or that gets no processor; its functions have 60 seconds. */
  wallSeconds: 45,
  /** A process that keeps more memory than this after a job does no other. */
  spentMb: 300,
}

export type Bounds = typeof bounds

/**
 * Decided: the resource limits of one image. The most expensive accepted images (100 million pixels, progressive, rotated by
 * their Exif, written as PNG several times) need 6 seconds of CPU time and 800 MB, measured 2026-11-22 on x86-64.
 */
export const bounds = {
  /** CPU time for any image. */
  cpuSeconds: 4,
  /** Additional CPU time for each million pixels: 100 million have 20 seconds in total. */
  cpuSecondsPerMegapixel: 0.16,
  /** Resident memory of the image process. Its functions have 1,769 MB for both processes. */
  memoryMb: 1200,
  /** Wall-clock time. Ends a process that hangs or gets no CPU; its functions have 60 seconds. */
  wallSeconds: 45,
  /** A process that holds more memory than this after a job is replaced. */
  spentMb: 300,
}

export type Bounds = typeof bounds

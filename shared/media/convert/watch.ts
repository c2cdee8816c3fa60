import type { Bounds } from './bounds.ts'

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

const megabyte = 2 ** 20
export const residentMb = (): number => process.memoryUsage.rss() / megabyte

const lookEveryMs = 25

export interface JobWatch {
  /** Allows the CPU time for an image of this many pixels. */
  allow(pixels: number): void
  end(): void
}

/** Watches what this process uses for one job. Decoders run outside the main thread, which is free to check. */
export const watchJob = (bounds: Bounds, onOverrun: (why: 'time' | 'memory') => void): JobWatch => {
  const startedAt = cpuSeconds()
  let allowed = bounds.cpuSeconds
  const timer = setInterval(() => {
    if (cpuSeconds() - startedAt > allowed) onOverrun('time')
    else if (residentMb() > bounds.memoryMb) onOverrun('memory')
  }, lookEveryMs)
  return {
    allow(pixels) {
      allowed = bounds.cpuSeconds + (bounds.cpuSecondsPerMegapixel * pixels) / 1_000_000
    },
    end: () => clearInterval(timer),
  }
}

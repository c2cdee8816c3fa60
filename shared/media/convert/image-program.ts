import type { Bounds } from './bounds.ts'
import { decode, encode } from './encode.ts'
import { ImageError, type ImageJob, type ImageResponse, type MadeImage } from './image-job.ts'
import { loadSharp, type OpenImage, openImage, throwDamaged } from './sharp.ts'

/** Decided: the longer side of a preview has at most this many pixels. */
const longestSide = 640

/** A small WebP of an image: its first frame, upright, in sRGB, without metadata. */
const drawPreview = async ({ image }: OpenImage): Promise<MadeImage> => {
  const { data, info } = await image
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
    .catch(throwDamaged)
  return { bytes: data, mimeType: 'image/webp', width: info.width, height: info.height }
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

const megabyte = 2 ** 20
const residentMb = (): number => process.memoryUsage.rss() / megabyte

const lookEveryMs = 25

interface JobWatch {
  /** Allows the CPU time for an image of this many pixels. */
  allow(pixels: number): void
  end(): void
}

/** Watches what this process uses for one job. Decoders run outside the main thread, which is free to check. */
const watchJob = (bounds: Bounds, onOverrun: (why: 'time' | 'memory') => void): JobWatch => {
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

/**
 * The image process: decodes untrusted files, one image at a time, separate from the process that handles requests. It
 * exits when an image exceeds its limits: a native decoder cannot be stopped in any other way. The process that started
 * it passes the limits as JSON in the first argument, and enforces the wall-clock limit.
 */
const bounds: Bounds = JSON.parse(process.argv[2] ?? '{}')

// A signal to the whole process group, such as Ctrl-C, is left to the process that started this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const die = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', die)

const answer = (what: ImageResponse, then: () => void = () => undefined) => void process.send?.(what, then)

// Rejects if the library is missing, which ends the process with an error.
const ready = loadSharp()

const make = async (job: ImageJob, watch: JobWatch) => {
  const opened = await openImage(job.bytes)
  watch.allow(opened.pixels)
  return job.kind === 'preview' ? drawPreview(opened) : encode(await decode(opened, job.sent), job.sent)
}

const failureBy = (error: unknown) =>
  error instanceof ImageError ? error.failure : ({ why: 'damaged', detail: String(error) } as const)

process.on('message', async (job: ImageJob) => {
  await ready
  let isOver = false
  const watch = watchJob(bounds, (why) => {
    if (isOver) return
    isOver = true
    answer({ failure: { why } }, die)
  })
  try {
    const made = await make(job, watch)
    if (!isOver) answer({ made, spent: residentMb() > bounds.spentMb })
  } catch (error) {
    if (!isOver) answer({ failure: failureBy(error) })
  } finally {
    isOver = true
    watch.end()
  }
})

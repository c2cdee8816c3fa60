import type { Bounds } from './bounds.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { ImageError, type ImageJob, type ImageResponse } from './image-job.ts'
import { openImage } from './open.ts'
import { drawPreview } from './preview.ts'
import { loadSharp } from './sharp.ts'
import { type JobWatch, residentMb, watchJob } from './watch.ts'

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

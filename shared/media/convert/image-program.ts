import type { Bounds } from './bounds.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { ImageError, type ImageJob, type ImageResponse } from './image-job.ts'
import { openImage } from './open.ts'
import { drawPreview } from './preview.ts'
import { loadSharp } from './sharp.ts'
import { type JobWatch, residentMb, watchJob } from './watch.ts'

/**
 * The image process: it decodes what strangers send, one image at a time, apart from the process that answers requests.
 * It ends itself when an image costs more than it may: a native decoder cannot be stopped in any other way. The process
 * that started it gives the bounds as JSON in the first argument, and holds the clock.
 */
const bounds: Bounds = JSON.parse(process.argv[2] ?? '{}')

// A signal to the whole group, as Ctrl-C sends it, leaves the end to the process that started this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const die = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', die)

const answer = (what: ImageResponse, then: () => void = () => undefined) => void process.send?.(what, then)

// Rejects where the library is missing, which ends the process with an error.
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

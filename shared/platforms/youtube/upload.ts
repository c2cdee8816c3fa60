import * as z from 'zod/mini'
import { readRange } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import { fileRange } from '../file-range.ts'
import { unclearResponse } from '../http.ts'
import { definition } from './definition.ts'
import { type Progress, putRange } from './session.ts'

/** A video on its way, as it is journaled: everything that its later calls need. */
export const Upload = z.object({
  session: z.string(),
  storageKey: z.string(),
  mimeType: z.string(),
  size: z.int(),
  /** The first byte that YouTube has not got. */
  next: z.int(),
  title: z.string(),
  expiresAtMs: z.number(),
})
export type Upload = z.infer<typeof Upload>

/**
 * Ranges begin at multiples of this (YouTube Data API, Resumable Uploads), so the last one, which publishes, has at
 * most as much.
 */
const grain = 262_144
const rangeBytes = 64 * grain

/** An invocation begins no range after so long: it ends well within its minute, however slow the way is. */
const phaseMs = 25_000

/** Where the range begins that completes the video. */
export const lastFrom = (size: number): number => Math.floor((size - 1) / grain) * grain

/** Sends ranges until the last one is left or the phase is over; answers the upload as far as it came. */
export const sendRanges = async (ctx: Context, token: string, upload: Upload): Promise<Upload> => {
  const { session, size } = upload
  const [startedMs, until] = [ctx.clock.now(), lastFrom(size)]
  let { next } = upload
  while (next < until && ctx.clock.now() - startedMs < phaseMs) {
    const end = Math.min(next + rangeBytes, until)
    const body = fileRange(ctx, upload, next, end - 1)
    const progress = await putRange(ctx, { token, session, range: `bytes ${next}-${end - 1}/${size}`, body })
    const stored = progress.kind === 'open' ? progress.stored : size
    if (stored <= next) throw unclearResponse({ platform: definition }, 'no progress')
    next = stored
  }
  return { ...upload, next }
}

/** The bytes that complete the video, read before the moment. */
export const readLast = (ctx: Context, { storageKey, size }: Upload): Promise<Uint8Array> =>
  readRange(ctx, storageKey, lastFrom(size), size - 1)

/** Sends them; the video exists when the answer has its id. */
export const sendLast = (ctx: Context, token: string, upload: Upload, bytes: Uint8Array): Promise<Progress> => {
  const { session, size, mimeType } = upload
  const range = `bytes ${lastFrom(size)}-${size - 1}/${size}`
  return putRange(ctx, { token, session, range, body: { type: mimeType, bytes }, creates: true })
}

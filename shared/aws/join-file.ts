import type { Context } from '../context.ts'
import { cacheControl, readRange } from './bucket.ts'
import { derivedMetadata, putDerived } from './derived-file.ts'
import {
  abortUpload,
  completeUpload,
  copyPart,
  createUpload,
  maxCopyBytes,
  type Part,
  type Range,
  type Upload,
  uploadPart,
} from './multipart.ts'

type Bytes = Uint8Array<ArrayBufferLike>

/** A new file of bytes, and ranges of another file behind them (end exclusive). */
export interface JoinedFile {
  head: Buffer
  ranges: readonly Range[]
  /** The other file; only if it still has this ETag. */
  from: string
  etag: string
  to: string
  mimeType: string
  width: number
  height: number
}

/** Every part but the last has at least so many bytes (S3 guide, "Amazon S3 multipart upload limits"). */
const leastPartBytes = 5 * 1024 * 1024

/** A part of an upload: bytes that are sent, or a range that S3 copies. */
type PlannedPart = { send: readonly (Bytes | Range)[] } | { copy: Range }

/** Divides a file into parts: what is too short for a copy is sent together with what is around it. */
export const planParts = (head: Buffer, ranges: readonly Range[], least = leastPartBytes, most = maxCopyBytes) => {
  const parts: PlannedPart[] = []
  let pieces: (Bytes | Range)[] = [head]
  let bytes = head.length
  const flush = () => {
    if (bytes > 0) parts.push({ send: pieces })
    pieces = []
    bytes = 0
  }
  for (const [n, { from, to }] of ranges.entries()) {
    const isLast = n === ranges.length - 1
    let at = from
    const take = (count: number) => {
      pieces.push({ from: at, to: at + count })
      bytes += count
      at += count
    }
    if (bytes > 0) take(Math.min(to - at, Math.max(0, least - bytes)))
    if (bytes >= least) flush()
    while (at < to && bytes === 0) {
      const rest = to - at
      if (rest < least && !isLast) take(rest)
      else {
        const count = rest <= most + least ? rest : most
        parts.push({ copy: { from: at, to: at + count } })
        at += count
      }
    }
  }
  flush()
  return parts
}

const load = async (ctx: Context, { from, etag }: JoinedFile, pieces: readonly (Bytes | Range)[]) =>
  Buffer.concat(
    await Promise.all(
      pieces.map((piece) =>
        'from' in piece ? readRange(ctx, from, { from: piece.from, to: piece.to - 1, etag }) : piece,
      ),
    ),
  )

/** One after the other, so that one of them is in memory. */
const sendParts = async (ctx: Context, file: JoinedFile, upload: Upload, parts: readonly PlannedPart[]) => {
  const sent: Part[] = []
  for (const [n, part] of parts.entries()) {
    if ('send' in part) sent.push(await uploadPart(ctx, upload, n + 1, await load(ctx, file, part.send)))
  }
  return sent
}

const storeParts = async (ctx: Context, file: JoinedFile, parts: readonly PlannedPart[]) => {
  const { from, etag, to: storageKey, mimeType } = file
  const more = { CacheControl: cacheControl, Metadata: derivedMetadata(ctx, file) }
  const upload = { storageKey, uploadId: await createUpload(ctx, storageKey, mimeType, more) }
  try {
    const stored = await Promise.all([
      ...parts.map((part, n) => ('copy' in part ? copyPart(ctx, upload, n + 1, { from, etag, range: part.copy }) : [])),
      sendParts(ctx, file, upload, parts),
    ])
    await completeUpload(
      ctx,
      upload,
      stored.flat().toSorted((a, b) => a.number - b.number),
    )
  } catch (error) {
    // The bucket deletes what is left after a day.
    await abortUpload(ctx, upload).catch(() => undefined)
    throw error
  }
}

/** Stores a derived file of bytes and of ranges of another file, which S3 copies; returns how many bytes it has. */
export const joinFile = async (ctx: Context, file: JoinedFile): Promise<number> => {
  const { head, ranges, to: storageKey, mimeType, width, height } = file
  const fileSize = ranges.reduce((sum, { from, to }) => sum + to - from, head.length)
  const parts = planParts(head, ranges)
  const [first] = parts
  if (parts.length === 1 && first !== undefined && 'send' in first) {
    await putDerived(ctx, storageKey, { bytes: await load(ctx, file, first.send), mimeType, width, height })
  } else await storeParts(ctx, file, parts)
  return fileSize
}

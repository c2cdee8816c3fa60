import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Context } from '../context.ts'
import { bucketClient, objectOf, readRange, runOn } from './bucket.ts'
import {
  abortUpload,
  completeUpload,
  copyPart,
  createUpload,
  maxCopyBytes,
  type Part,
  type Piece,
  type Range,
  type StoredAs,
  type Upload,
  uploadPart,
} from './multipart.ts'

/** A new file of bytes and of ranges of another file (end exclusive), in their order. */
export interface JoinedFile {
  pieces: readonly Piece[]
  /** The other file; only if it still has this ETag. */
  from: string
  etag: string
  to: string
  mimeType: string
  storedAs: StoredAs
  /** Replaces no file of the same name (`hasChanged`). */
  ifAbsent?: true
}

/** Every part but the last has at least this many bytes (S3 guide, "Amazon S3 multipart upload limits"). */
const leastPartBytes = 5 * 1024 * 1024

/** A part of an upload: bytes that are sent, or a range that S3 copies. */
type PlannedPart = { send: readonly Piece[] } | { copy: Range }

const bytesOf = (piece: Piece) => ('from' in piece ? piece.to - piece.from : piece.length)

/** Divides a file into parts: a range that is too short for a copy is sent together with its neighbors. */
export const planParts = (file: readonly Piece[], least = leastPartBytes, max = maxCopyBytes) => {
  const parts: PlannedPart[] = []
  let pieces: Piece[] = []
  let bytes = 0
  const flush = () => {
    if (bytes > 0) parts.push({ send: pieces })
    pieces = []
    bytes = 0
  }
  const add = (piece: Piece) => {
    pieces.push(piece)
    bytes += bytesOf(piece)
  }
  for (const [n, piece] of file.entries()) {
    if (!('from' in piece)) {
      add(piece)
      if (bytes >= least) flush()
      continue
    }
    const { from, to } = piece
    const isLast = n === file.length - 1
    let at = from
    const take = (count: number) => {
      add({ from: at, to: at + count })
      at += count
    }
    if (bytes > 0) take(Math.min(to - at, Math.max(0, least - bytes)))
    if (bytes >= least) flush()
    while (at < to && bytes === 0) {
      const rest = to - at
      if (rest < least && !isLast) take(rest)
      else {
        const count = rest <= max + least ? rest : max
        parts.push({ copy: { from: at, to: at + count } })
        at += count
      }
    }
  }
  flush()
  return parts
}

/** More than this is not read to get the ranges around it in one call. */
const maxGapBytes = leastPartBytes

/** Loads pieces that are sent: their ranges in one call if there is little between them, as with replaced bytes. */
const load = async (ctx: Context, { from: key, etag }: JoinedFile, pieces: readonly Piece[]): Promise<Buffer> => {
  const read = ({ from, to }: Range) => readRange(ctx, key, { from, to: to - 1, etag })
  const ranges = pieces.filter((piece) => 'from' in piece)
  const from = Math.min(...ranges.map((range) => range.from))
  const to = Math.max(...ranges.map((range) => range.to))
  const rangeBytes = ranges.reduce((sum, range) => sum + bytesOf(range), 0)
  const whole = ranges.length > 1 && to - from - rangeBytes <= maxGapBytes ? await read({ from, to }) : undefined
  const loaded = pieces.map(async (piece) => {
    if (!('from' in piece)) return piece
    return whole === undefined ? read(piece) : whole.subarray(piece.from - from, piece.to - from)
  })
  return Buffer.concat(await Promise.all(loaded))
}

/** One after the other, so that only one is in memory. */
const sendParts = async (ctx: Context, file: JoinedFile, upload: Upload, parts: readonly PlannedPart[]) => {
  const sent: Part[] = []
  for (const [n, part] of parts.entries()) {
    if ('send' in part) sent.push(await uploadPart(ctx, upload, n + 1, await load(ctx, file, part.send)))
  }
  return sent
}

const conditionOf = ({ ifAbsent }: JoinedFile) => (ifAbsent === true ? { IfNoneMatch: '*' } : {})

const storeParts = async (ctx: Context, file: JoinedFile, parts: readonly PlannedPart[]) => {
  const { from, etag, to: storageKey, mimeType, storedAs } = file
  const upload = { storageKey, uploadId: await createUpload(ctx, storageKey, mimeType, storedAs) }
  try {
    const stored = await Promise.all([
      ...parts.map((part, n) => ('copy' in part ? copyPart(ctx, upload, n + 1, { from, etag, range: part.copy }) : [])),
      sendParts(ctx, file, upload, parts),
    ])
    const inOrder = stored.flat().toSorted((a, b) => a.number - b.number)
    await completeUpload(ctx, upload, inOrder, conditionOf(file))
  } catch (error) {
    // The bucket deletes leftovers after a day.
    await abortUpload(ctx, upload).catch(() => undefined)
    throw error
  }
}

const storeWhole = async (ctx: Context, file: JoinedFile, pieces: readonly Piece[]) => {
  const { to: storageKey, mimeType, storedAs } = file
  const [Body, where] = [await load(ctx, file, pieces), objectOf(ctx, storageKey)]
  const command = new PutObjectCommand({ ...where, Body, ContentType: mimeType, ...storedAs, ...conditionOf(file) })
  await runOn(ctx, storageKey, 'PutObject', () => bucketClient(ctx).send(command))
}

/** Stores a file of bytes and of ranges of another file, which S3 copies; returns how many bytes it has. */
export const joinFile = async (ctx: Context, file: JoinedFile): Promise<number> => {
  const parts = planParts(file.pieces)
  const [first] = parts
  if (parts.length === 1 && first !== undefined && 'send' in first) await storeWhole(ctx, file, first.send)
  else await storeParts(ctx, file, parts)
  return file.pieces.reduce((sum, piece) => sum + bytesOf(piece), 0)
}

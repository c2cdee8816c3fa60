import { extname } from 'node:path'
import { isGone, streamRange } from '../aws/bucket.ts'
import type { Context } from '../context.ts'
import { type Asset, assets } from '../media/asset.ts'
import type { MissingFile, NewEntry } from './archive.ts'
import type { Position } from './export.ts'
import { sources } from './sources/every.ts'
import { type ExportScope, rowsAfter, type Source } from './sources/source.ts'

/** The next file of an archive, and the position after it. */
export interface Step {
  entry?: NewEntry
  missing?: MissingFile
  next: Position
}

/** The sources of rows, then the media files. */
export const isLast = ({ source }: Position): boolean => source > sources.length

/** A file of JSON lines ends after this many lines or bytes, so that it fits into memory. */
const maxLines = 10_000
const maxBytes = 8 * 1024 * 1024

/** The lines of one file, read page by page. */
const readLines = async (ctx: Context, scope: ExportScope, source: Source, from: string) => {
  const lines: Buffer[] = []
  let bytes = 0
  let after: string | undefined = from
  do {
    const page: Awaited<ReturnType<Source['page']>> = await source.page(ctx, scope, after)
    for (const line of page.lines) {
      const text = Buffer.from(`${JSON.stringify(line)}\n`)
      lines.push(text)
      bytes += text.length
    }
    after = page.next
  } while (after !== undefined && lines.length < maxLines && bytes < maxBytes)
  return { text: Buffer.concat(lines), records: lines.length, next: after }
}

const linesStep = async (ctx: Context, scope: ExportScope, source: Source, at: Position): Promise<Step> => {
  const { text, records, next } = await readLines(ctx, scope, source, at.after)
  const name = `data/${source.name}-${String(at.file).padStart(4, '0')}.jsonl`
  const step =
    next === undefined
      ? { next: { source: at.source + 1, after: '', file: 1 } }
      : { next: { ...at, after: next, file: at.file + 1 } }
  // A kind without rows has one empty file.
  if (records === 0 && at.file > 1) return step
  return { entry: { name, chunks: [text], compress: true, kind: source.name, records }, ...step }
}

/** The content of a file; undefined if the first read shows that it is not in the bucket. */
const open = async (ctx: Context, { storageKey, fileSize }: Asset): Promise<AsyncIterable<Uint8Array> | undefined> => {
  const stream = streamRange(ctx, storageKey, 0, Math.max(0, fileSize - 1))
  try {
    const first = await stream.next()
    return (async function* () {
      if (first.done !== true) yield first.value
      yield* stream
    })()
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

const mediaEntry = async (ctx: Context, asset: Asset): Promise<Omit<Step, 'next'>> => {
  const { id, storageKey } = asset
  const chunks = await open(ctx, asset)
  if (chunks === undefined) return { missing: { mediaId: id, storageKey } }
  return { entry: { name: `media/${id}${extname(storageKey)}`, chunks, compress: false } }
}

/** The media files after a position. */
async function* mediaSteps(ctx: Context, scope: ExportScope, at: Position): AsyncGenerator<Step> {
  const { PK } = assets.key({ workspaceId: scope.workspaceId, id: '' })
  for (let after: string | undefined = at.after; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof rowsAfter>> = await rowsAfter(ctx, PK, after)
    for (const asset of assets.readable(ctx, page.items)) {
      yield { ...(await mediaEntry(ctx, asset)), next: { ...at, after: asset.id } }
    }
    after = page.next === undefined ? undefined : String(page.next['SK'])
  }
  yield { next: { source: at.source + 1, after: '', file: 1 } }
}

/** The files of an archive after a position, one by one. */
export async function* stepsAfter(ctx: Context, scope: ExportScope, from: Position): AsyncGenerator<Step> {
  let at = from
  for (;;) {
    const source = sources[at.source]
    if (source === undefined) break
    const step = await linesStep(ctx, scope, source, at)
    yield step
    at = step.next
  }
  if (!isLast(at)) yield* mediaSteps(ctx, scope, at)
}

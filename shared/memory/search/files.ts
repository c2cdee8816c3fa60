import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { readIndexFile } from '../../aws/index-bucket.ts'
import { type Context, perContext } from '../../context.ts'
import { languages } from './languages.ts'
import { type Segment, weightOf } from './segment.ts'

/** Increases when words are read differently: files of another format are rebuilt. */
const format = 2

const File = z.object({
  format: z.literal(format),
  languages: z.array(z.enum(languages)),
  /** One per line: a list of a hundred thousand strings takes longer to read. */
  ids: z.string(),
  terms: z.string(),
  lengths: z.instanceof(Uint32Array),
  totalLength: z.number(),
  frequencies: z.instanceof(Uint32Array),
  starts: z.instanceof(Uint32Array),
  postings: z.instanceof(Uint8Array),
})

const lines = (list: string) => (list === '' ? [] : list.split('\n'))

/** A segment as a compressed file. Later versions of Node.js read what an earlier one has serialized. */
export const packSegment = (segment: Segment): Uint8Array =>
  gzipSync(serialize({ ...segment, format, ids: segment.ids.join('\n'), terms: segment.terms.join('\n') }))

/** Reads a file; throws if it is incomplete, or of another format. */
export const unpackSegment = (file: Uint8Array): Segment => {
  const { ids, terms, ...lists } = z.parse(File, deserialize(gunzipSync(file)))
  return { ...lists, ids: lines(ids), terms: lines(terms) }
}

/** The folder of the index files of a collection, or of a whole workspace. */
export const folderOf = (workspaceId: string, collectionId?: string): string =>
  collectionId === undefined ? `${workspaceId}/` : `${workspaceId}/${collectionId}/`

/** Reads an index file; undefined if it is gone or damaged: the table has everything that it had. */
export const loadSegment = async (ctx: Context, file: string): Promise<Segment | undefined> => {
  const bytes = await readIndexFile(ctx, file)
  if (bytes === undefined) return undefined
  try {
    return unpackSegment(bytes)
  } catch (error) {
    ctx.log.error('an index file cannot be read', { file, reason: String(error) })
    return undefined
  }
}

/** The most bytes of read files that one environment caches; ten collections of ten thousand long memories fit. */
const maxKeptBytes = 600_000_000
const kept = perContext(() => new Map<string, Segment>())

/** Reads an index file through the cache; a file never changes, and a newer one has another name. */
export const keptSegment = async (ctx: Context, file: string): Promise<Segment | undefined> => {
  const files = kept(ctx)
  const segment = files.get(file) ?? (await loadSegment(ctx, file))
  files.delete(file)
  if (segment === undefined) return undefined
  files.set(file, segment)
  // The most recently used file is last.
  let bytes = [...files.values()].reduce((sum, one) => sum + weightOf(one), 0)
  for (const [name, one] of files) {
    if (bytes <= maxKeptBytes || name === file) break
    files.delete(name)
    bytes -= weightOf(one)
  }
  return segment
}

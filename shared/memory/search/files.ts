import { readIndexFile } from '../../aws/index-bucket.ts'
import { type Context, perContext } from '../../context.ts'
import { type Segment, weightOf } from './segment.ts'
import { unpackSegment } from './segment-file.ts'

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

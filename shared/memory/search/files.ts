import { readIndexFile } from '../../aws/index-bucket.ts'
import { type Context, perContext } from '../../context.ts'
import { type Segment, weightOf } from './segment.ts'
import { unpackSegment } from './segment-file.ts'

/** Where the index files of a collection lie, and those of a whole workspace. */
export const folderOf = (workspaceId: string, collectionId?: string): string =>
  collectionId === undefined ? `${workspaceId}/` : `${workspaceId}/${collectionId}/`

/** Reads an index file; undefined where it is gone or broken: the table knows all that it knew. */
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

/** What one environment keeps of files it has read; ten collections of ten thousand long memories fit. */
const maxKeptBytes = 600_000_000
const kept = perContext(() => new Map<string, Segment>())

/** The same from memory where it was read before; a file never changes, a newer one has another name. */
export const keptSegment = async (ctx: Context, file: string): Promise<Segment | undefined> => {
  const files = kept(ctx)
  const segment = files.get(file) ?? (await loadSegment(ctx, file))
  files.delete(file)
  if (segment === undefined) return undefined
  files.set(file, segment)
  // The one used last stands last.
  let bytes = [...files.values()].reduce((sum, one) => sum + weightOf(one), 0)
  for (const [name, one] of files) {
    if (bytes <= maxKeptBytes || name === file) break
    files.delete(name)
    bytes -= weightOf(one)
  }
  return segment
}

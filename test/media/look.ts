import type { FileInfo } from '../../shared/media/inspect/info.ts'
import { openSource } from '../../shared/media/inspect/source.ts'
import { acceptedTypeOf, inspectFile } from '../../shared/media/inspect.ts'
import type { MediaType } from '../../shared/media/types.ts'

/** What came of a look at a file, and what it cost. */
export interface Seen {
  mimeType?: MediaType
  info?: FileInfo
  error?: unknown
  reads: number
  bytes: number
}

/** Looks at a file as a completion does. */
export const look = async (bytes: Buffer): Promise<Seen> => {
  const reads: number[] = []
  const load = async (from: number, to: number) => {
    reads.push(to - from)
    return bytes.subarray(from, to)
  }
  const cost = () => ({ reads: reads.length, bytes: reads.reduce((sum, count) => sum + count, 0) })
  try {
    const source = await openSource(bytes.length, load)
    const mimeType = await acceptedTypeOf(source)
    return { mimeType, info: (await inspectFile(source, mimeType)).info, ...cost() }
  } catch (error) {
    return { error, ...cost() }
  }
}

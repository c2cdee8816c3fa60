import type { FileInfo } from '../../shared/media/inspect/info.ts'
import { openSource } from '../../shared/media/inspect/source.ts'
import { inspectFile } from '../../shared/media/inspect.ts'
import type { MediaType } from '../../shared/media/types.ts'

/** What came of a look at a file, and what it cost. */
export interface Seen {
  facts?: FileInfo
  error?: unknown
  reads: number
  bytes: number
}

/** Looks at a file as a completion does. */
export const look = async (bytes: Buffer, mimeType: MediaType): Promise<Seen> => {
  const reads: number[] = []
  const load = async (from: number, to: number) => {
    reads.push(to - from)
    return bytes.subarray(from, to)
  }
  const cost = () => ({ reads: reads.length, bytes: reads.reduce((sum, count) => sum + count, 0) })
  try {
    return { facts: (await inspectFile(await openSource(bytes.length, load), mimeType)).info, ...cost() }
  } catch (error) {
    return { error, ...cost() }
  }
}

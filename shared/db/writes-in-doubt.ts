import { AsyncLocalStorage } from 'node:async_hooks'

/** What one request has written so far. */
export interface Writes {
  /** Writes that were carried out, or may have been. */
  count: number
  /** Its caller has an answer: nothing more may be written. */
  over: boolean
}

const current = new AsyncLocalStorage<Writes>()

/** Runs a request, whose writes are counted in `writes`. */
export const countWrites = <T>(writes: Writes, run: () => T): T => current.run(writes, run)

/** Whether the request that runs has changed something, or may have. */
export const mayHaveWritten = (): boolean => (current.getStore()?.count ?? 0) > 0

/** Counts a write of the request that runs; answers how to take it back where it was certainly not carried out. */
export const countWrite = (): (() => void) => {
  const writes = current.getStore()
  if (writes === undefined) return () => {}
  if (writes.over) throw new Error('the caller was told that the time is over: nothing is written any more')
  writes.count += 1
  return () => {
    writes.count -= 1
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** The writes of one request so far. */
export interface Writes {
  /** Writes that were carried out, or may have been. */
  count: number
  /** The caller has a response: no more writes are allowed. */
  over: boolean
}

const current = new AsyncLocalStorage<Writes>()

/** Runs a request and counts its writes in `writes`. */
export const countWrites = <T>(writes: Writes, run: () => T): T => current.run(writes, run)

/** Whether the current request has written, or may have. */
export const mayHaveWritten = (): boolean => (current.getStore()?.count ?? 0) > 0

/**
 * Counts a write of the current request; returns a function that undoes the count if the write was certainly not carried
 * out.
 */
export const countWrite = (): (() => void) => {
  const writes = current.getStore()
  if (writes === undefined) return () => {}
  if (writes.over) throw new Error('the response was already sent: nothing more may be written')
  writes.count += 1
  return () => {
    writes.count -= 1
  }
}

import { useEffect, useState } from 'preact/hooks'
import { attemptRead, retries } from './service.ts'
import { changes } from './store.ts'

interface Polling<T> {
  /** Whether the value still changes by itself. */
  isPending: (value: T) => boolean
  pauseMs: number
}

/** Waits until a person has stopped typing: the next key ends the read before its request. */
export const settle = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 200))
  signal.throwIfAborted()
}

/** The most reads of a value that changes by itself. */
const maxReads = 1_000

/**
 * Reads when one of the keys changes, when someone tries again, and while the value is pending. `onRead` gets the result,
 * unless it is undefined or another read is on its way. Without a call there is nothing to read.
 */
export const useReadEffect = <T>(
  call: ((signal: AbortSignal) => Promise<T | undefined>) | undefined,
  keys: readonly unknown[],
  onRead: (value: T) => void,
  polling?: Polling<T>,
): void => {
  useEffect(() => {
    if (call === undefined) return
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const readNow = async (left: number) => {
      const value = await attemptRead(() => call(ending.signal), ending.signal)
      if (value === undefined) return
      onRead(value)
      if (polling?.isPending(value) && left > 0) timer = setTimeout(readNow, polling.pauseMs, left - 1)
    }
    void readNow(maxReads)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [...keys, retries.value])
}

/**
 * What is read, and a way to read it again; it is also read again when posts have changed. It is undefined until the first
 * read of these keys has ended, and stays until a later one has. Without a call there is nothing to read.
 */
export const useRead = <T>(
  call: ((signal: AbortSignal) => Promise<T>) | undefined,
  keys: readonly unknown[],
  polling?: Polling<T>,
): [T | undefined, () => void] => {
  const [read, setRead] = useState<{ key: string; value: T }>()
  const [reads, setReads] = useState(0)
  const key = JSON.stringify(keys)
  useReadEffect(call, [key, reads, changes.value], (value) => setRead({ key, value }), polling)
  return [read?.key === key ? read.value : undefined, () => setReads((before) => before + 1)]
}

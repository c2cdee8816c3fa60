import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFileSync } from '../engines/replace-file.ts'
import { readStoredLines } from '../engines/stored-lines.ts'

/** A map whose changes are on disk when the call returns, one appended line each; without a file it is plain memory. */
export interface StoredMap<Value> {
  readonly size: number
  get(key: string): Value | undefined
  /** Throws the error of the disk, and then nothing has changed. */
  set(key: string, value: Value): void
  delete(key: string): boolean
  /** In the order the keys were first set. */
  values(): Value[]
  keys(): IterableIterator<string>
  clear(): void
}

export function storedMap<Value>(file: string | undefined): StoredMap<Value> {
  const map = new Map<string, Value>()
  const log = file === undefined ? undefined : openLog(file)
  // Only this function writes the file, so values that are read back have their original type.
  for (const { key, value } of log?.lines ?? []) value === undefined ? map.delete(key) : map.set(key, value as Value)
  const compact = () => log?.replace([...map].map(([key, value]) => `${JSON.stringify({ key, value })}\n`).join(''))
  try {
    compact()
  } catch (error) {
    // A full disk does not keep the service from starting: the file stays unchanged.
    if (!isFull(error)) throw error
  }
  return {
    get size() {
      return map.size
    },
    get: (key) => map.get(key),
    set(key, value) {
      log?.append(`${JSON.stringify({ key, value })}\n`)
      map.set(key, value)
    },
    delete(key) {
      if (map.has(key)) log?.append(`${JSON.stringify({ key })}\n`)
      return map.delete(key)
    },
    values: () => [...map.values()],
    keys: () => map.keys(),
    clear() {
      log?.replace('')
      map.clear()
    },
  }
}

const isFull = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOSPC'

/** A file of lines; a line that could not be written completely is removed again, or closed by the next one. */
function openLog(file: string) {
  mkdirSync(dirname(file), { recursive: true })
  const text = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  const newline = 0x0a
  let torn = text.length > 0 && text.at(-1) !== newline
  let bytes = text.length
  return {
    lines: readStoredLines(text.toString('utf8')),
    append(line: string) {
      // The sign keeps the end of half a line from being mistaken for a complete one.
      const whole = torn ? `#\n${line}` : line
      try {
        appendFileSync(file, whole)
        bytes += Buffer.byteLength(whole)
        torn = false
      } catch (error) {
        torn = !cutTo(file, bytes) || torn
        throw error
      }
    },
    replace(content: string) {
      replaceFileSync(file, content)
      bytes = Buffer.byteLength(content)
      torn = false
    },
  }
}

/** Removes the remains of a failed write; returns whether that worked. It works on a full disk. */
function cutTo(file: string, bytes: number): boolean {
  try {
    truncateSync(file, bytes)
    return true
  } catch {
    return false
  }
}

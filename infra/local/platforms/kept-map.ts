import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'

/** A map whose changes are on disk when the call returns, one appended line each; without a file it is plain memory. */
export interface KeptMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): boolean
  /** In the order the keys were first set. */
  values(): Value[]
  clear(): void
}

const Line = z.object({ key: z.string(), value: z.optional(z.unknown()) })
type Line = z.infer<typeof Line>

export function keptMap<Value>(file: string | undefined): KeptMap<Value> {
  const map = new Map<string, Value>()
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    // Only this function writes the file, so what it reads back has the type it was given.
    for (const { key, value } of readLines(file)) value === undefined ? map.delete(key) : map.set(key, value as Value)
    rewrite()
  }
  function append(line: Line): void {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  function rewrite(): void {
    if (file === undefined) return
    const lines = [...map].map(([key, value]) => `${JSON.stringify({ key, value })}\n`)
    writeFileSync(`${file}.new`, lines.join(''))
    renameSync(`${file}.new`, file)
  }
  return {
    get: (key) => map.get(key),
    set(key, value) {
      append({ key, value })
      map.set(key, value)
    },
    delete(key) {
      if (map.has(key)) append({ key })
      return map.delete(key)
    },
    values: () => [...map.values()],
    clear() {
      map.clear()
      rewrite()
    },
  }
}

/** A process killed in the middle of a write leaves half a line at the end: nobody was answered for it, so it is dropped. */
function readLines(file: string): Line[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [Line.parse(JSON.parse(line))]))
}

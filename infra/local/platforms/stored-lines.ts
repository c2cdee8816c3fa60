import * as z from 'zod/mini'

// Strict, so that an object inside a value that was cut off is not taken for a line.
const Line = z.strictObject({ key: z.string(), value: z.optional(z.unknown()) })
export type StoredLine = z.infer<typeof Line>

/** How every line begins. */
const head = '{"key":'

const parse = (text: string): StoredLine | undefined => {
  try {
    return Line.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A write that was cut off leaves half a line, and the next one may stand right behind it: that one is whole. */
const readLine = (line: string): StoredLine[] => {
  for (let at = 0; at >= 0; at = line.indexOf(head, at + 1)) {
    const whole = parse(line.slice(at))
    if (whole !== undefined) return [whole]
  }
  return []
}

/**
 * The lines of a file that were written as a whole; no one was answered for the others. Behind half a line at the end
 * there is nothing.
 */
export const readStoredLines = (text: string): StoredLine[] => {
  const lines = text.split('\n')
  const tail = parse(lines.pop() ?? '')
  return [...lines.flatMap(readLine), ...(tail === undefined ? [] : [tail])]
}

/** Whether a text can be what writing lines left, whole or cut off. */
export const areStoredLines = (text: string): boolean =>
  text.split('\n').every((line) => line.startsWith(head) || head.startsWith(line))

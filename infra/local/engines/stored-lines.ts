import * as z from 'zod/mini'

// Strict, so that an object inside a truncated value is not mistaken for a line.
const Line = z.strictObject({ key: z.string(), value: z.optional(z.unknown()) })
export type StoredLine = z.infer<typeof Line>

/** The start of every line. */
const head = '{"key":'

const parse = (text: string): StoredLine | undefined => {
  try {
    return Line.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** An interrupted write leaves half a line, and the next one may directly follow it: that one is complete. */
const readLine = (line: string): StoredLine[] => {
  for (let at = 0; at >= 0; at = line.indexOf(head, at + 1)) {
    const whole = parse(line.slice(at))
    if (whole !== undefined) return [whole]
  }
  return []
}

/** The complete lines of a file; for the others, no caller got a response. Nothing follows half a line at the end. */
export const readStoredLines = (text: string): StoredLine[] => {
  const lines = text.split('\n')
  const tail = parse(lines.pop() ?? '')
  return [...lines.flatMap(readLine), ...(tail === undefined ? [] : [tail])]
}

/** Whether a text can be the result of writing lines, complete or interrupted. */
export const areStoredLines = (text: string): boolean =>
  text.split('\n').every((line) => line.startsWith(head) || head.startsWith(line))

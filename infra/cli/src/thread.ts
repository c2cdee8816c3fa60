import { Usage } from './errors.ts'

/** The parts of a thread: texts divided by lines of three or more hyphens. */
export const partsOf = (texts: readonly string[]): string[] => {
  const parts = texts.flatMap((text) => text.split(/^-{3,}[ \t]*$/m)).map((part) => part.trim())
  if (parts.some((part) => part === '')) {
    throw new Usage('A part of the thread is empty. Divide the parts with one line "---" between two texts.')
  }
  if (parts.length < 2)
    throw new Usage('A thread has at least 2 parts. Divide the text with lines "---", or give more files.')
  if (parts.length > 25) throw new Usage(`A thread has at most 25 parts, and these are ${parts.length}.`)
  return parts
}

import { maxParts } from './bounds.ts'
import { counter, invalidFile } from './invalid-file.ts'

/** A box of a video: its type, and the position of its content (ISO 14496-12, 4.2). */
export interface Box {
  type: string
  start: number
  end: number
}

/** Types are four letters; QuickTime's types begin with a copyright sign. */
export const isBoxType = (type: string): boolean => /^[\w© -]{4}$/.test(type) && type.trim() !== ''

/**
 * The header of a box from its first 16 bytes; its end can be beyond them. `limit` is the end of a box without a
 * length.
 */
export const boxAt = (head: Buffer, at: number, limit: number): Box => {
  const type = head.toString('latin1', 4, 8)
  const length = head.readUInt32BE(0)
  if (length === 0) return { type, start: at + 8, end: limit }
  if (length !== 1) return { type, start: at + 8, end: at + length }
  if (head.length < 16) throw invalidFile('media_damaged', 'has a box without its length')
  return { type, start: at + 16, end: at + Number(head.readBigUInt64BE(8)) }
}

/** The consecutive boxes in a range of bytes, each with its header (`whole`); QuickTime may end a list with four zeros. */
export function* boxesIn(bytes: Buffer): Generator<{ type: string; content: Buffer; whole: Buffer }> {
  const countBox = counter(
    maxParts.boxes,
    `is a video with more than ${maxParts.boxes} boxes side by side in its index`,
  )
  for (let at = 0; at + 8 <= bytes.length; ) {
    const { type, start, end } = boxAt(bytes.subarray(at, at + 16), at, bytes.length)
    if (end < start || end > bytes.length)
      throw invalidFile('media_damaged', 'has a box that is longer than its container')
    countBox()
    yield { type, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) }
    at = end
  }
}

/** The first box of a type. */
export const boxIn = (bytes: Buffer, typeOfBox: string): Buffer | undefined => {
  for (const { type, content } of boxesIn(bytes)) if (type === typeOfBox) return content
  return undefined
}

/** The box at the end of a path of types. */
export const boxUnder = (bytes: Buffer, ...path: readonly string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>((inside, type) => inside && boxIn(inside, type), bytes)

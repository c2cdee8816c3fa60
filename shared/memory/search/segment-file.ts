import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { growBytes, readNumber } from './bytes.ts'
import { languages } from './languages.ts'
import type { Segment } from './segment.ts'

/** Increases when words are read differently: files of another format are rebuilt. */
const format = 1

const Header = z.object({
  format: z.literal(format),
  languages: z.array(z.enum(languages)),
  /** One per line: a list of a hundred thousand strings takes longer to parse. */
  ids: z.string(),
  terms: z.string(),
})

const lines = (list: string) => (list === '' ? [] : list.split('\n'))

const headBytes = 4

const numbers = (values: Iterable<number>): Uint8Array => {
  const bytes = growBytes()
  for (const value of values) bytes.number(value)
  return bytes.take()
}

/** A segment as a file: a JSON header, then lengths, frequencies, sizes of postings, and the postings; compressed. */
export const packSegment = (segment: Segment): Uint8Array => {
  const { ids, terms, starts, postings } = segment
  const lists = { ids: ids.join('\n'), terms: terms.join('\n') }
  const header = Buffer.from(JSON.stringify({ format, languages: segment.languages, ...lists }))
  const size = Buffer.alloc(headBytes)
  size.writeUInt32LE(header.length)
  const sizes = terms.map((_, n) => (starts[n + 1] ?? 0) - (starts[n] ?? 0))
  const parts = [size, header, numbers(segment.lengths), numbers(segment.frequencies), numbers(sizes), postings]
  return gzipSync(Buffer.concat(parts))
}

/** Reads a file; throws if it is incomplete, or of another format. */
export const unpackSegment = (file: Uint8Array): Segment => {
  const bytes = gunzipSync(file)
  const headerEnd = headBytes + bytes.readUInt32LE(0)
  const header = z.parse(Header, JSON.parse(bytes.toString('utf8', headBytes, headerEnd)))
  const [ids, terms] = [lines(header.ids), lines(header.terms)]
  const cursor = { bytes, at: headerEnd }
  const read = (count: number) => {
    const values = new Uint32Array(count)
    for (let n = 0; n < count; n += 1) values[n] = readNumber(cursor)
    return values
  }
  const lengths = read(ids.length)
  const frequencies = read(terms.length)
  const starts = new Uint32Array(terms.length + 1)
  for (let n = 0; n < terms.length; n += 1) starts[n + 1] = (starts[n] ?? 0) + readNumber(cursor)
  const postings = bytes.subarray(cursor.at)
  if (postings.length !== starts[terms.length]) throw new Error('the index file is incomplete')
  const totalLength = lengths.reduce((sum, length) => sum + length, 0)
  return { ids, languages: header.languages, terms, lengths, totalLength, frequencies, starts, postings }
}

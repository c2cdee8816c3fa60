import type { Analysed } from './analyse.ts'
import { growBytes, readNumber } from './bytes.ts'
import type { Language } from './languages.ts'

/** A memory as the index sees it. */
export interface Document extends Analysed {
  id: string
}

/** An inverted index of some memories, in a form that loads fast and stays small: a tenth of nested maps. */
export interface Segment {
  /** The memories, oldest first; postings refer to positions in this list. */
  ids: readonly string[]
  lengths: Uint32Array
  totalLength: number
  languages: readonly Language[]
  /** All words and stems, sorted by code units. */
  terms: readonly string[]
  /** In how many memories each term occurs. */
  frequencies: Uint32Array
  /** Where the postings of each term begin; has one more entry than there are terms. */
  starts: Uint32Array
  /** Pairs of numbers for each term: the distance to the next memory, and how often the term occurs in it. */
  postings: Uint8Array
}

/** Calls back with the position and count of each memory that contains a term. */
export const eachPosting = (segment: Segment, term: number, found: (place: number, count: number) => void): void => {
  const cursor = { bytes: segment.postings, at: segment.starts[term] ?? 0 }
  const end = segment.starts[term + 1] ?? 0
  let place = -1
  while (cursor.at < end) {
    place += readNumber(cursor)
    found(place, readNumber(cursor))
  }
}

type Lists = Map<string, number[]>

const push = (lists: Lists, term: string, place: number, count: number) => {
  const list = lists.get(term)
  if (list === undefined) lists.set(term, [place, count])
  else list.push(place, count)
}

const pack = (lists: Lists, terms: readonly string[]) => {
  const frequencies = new Uint32Array(terms.length)
  const starts = new Uint32Array(terms.length + 1)
  const bytes = growBytes()
  for (const [n, term] of terms.entries()) {
    const list = lists.get(term) ?? []
    let before = -1
    for (let at = 0; at < list.length; at += 2) {
      const place = list[at] ?? 0
      bytes.number(place - before)
      bytes.number(list[at + 1] ?? 0)
      before = place
    }
    frequencies[n] = list.length / 2
    starts[n + 1] = bytes.length()
  }
  return { frequencies, starts, postings: bytes.take() }
}

/** The memories of an older segment without the removed ones, followed by newer ones. */
export const makeSegment = (
  documents: readonly Document[],
  base?: Segment,
  gone: ReadonlySet<string> = new Set(),
): Segment => {
  const fresh = new Set(documents.map(({ id }) => id))
  const stays = (base?.ids ?? []).map((id) => !gone.has(id) && !fresh.has(id))
  const places = new Map<number, number>()
  for (const [place, stay] of stays.entries()) if (stay) places.set(place, places.size)
  const lists: Lists = new Map()
  for (const [n, term] of base?.terms.entries() ?? []) {
    if (base === undefined) break
    eachPosting(base, n, (before, count) => {
      const place = places.get(before)
      if (place !== undefined) push(lists, term, place, count)
    })
  }
  for (const [n, { terms }] of documents.entries()) {
    for (const [term, count] of terms) push(lists, term, places.size + n, count)
  }
  const lengths = Uint32Array.from([
    ...(base?.lengths ?? []).filter((_, place) => stays[place]),
    ...documents.map(({ length }) => length),
  ])
  const terms = [...lists.keys()].sort()
  const spoken = documents.flatMap(({ language }) => (language === undefined ? [] : [language]))
  return {
    ids: [...(base?.ids ?? []).filter((_, place) => stays[place]), ...documents.map(({ id }) => id)],
    lengths,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    languages: [...new Set([...(base?.languages ?? []), ...spoken])].sort(),
    terms,
    ...pack(lists, terms),
  }
}

/** The approximate size of a segment in memory, in bytes: a string needs more than its letters. */
export const weightOf = ({ ids, terms, postings, lengths }: Segment): number =>
  postings.byteLength + lengths.byteLength + ids.length * 56 + terms.length * 48

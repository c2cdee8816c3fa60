import type { Analysed } from './analyse.ts'
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

/** The first position in a sorted list whose entry is not below the given one. */
export const placeOf = <Entry extends string | number>(sorted: readonly Entry[], entry: Entry): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? entry) < entry) low = middle + 1
    else high = middle
  }
  return low
}

/** Calls back with the position and count of each memory that contains a term. */
export const eachPosting = (segment: Segment, term: number, found: (place: number, count: number) => void): void => {
  const { postings, starts } = segment
  let at = starts[term] ?? 0
  const read = () => {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = postings[at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  let place = -1
  while (at < (starts[term + 1] ?? 0)) {
    place += read()
    found(place, read())
  }
}

type Lists = Map<string, number[]>

const push = (lists: Lists, term: string, place: number, count: number) => {
  const list = lists.get(term)
  if (list === undefined) lists.set(term, [place, count])
  else list.push(place, count)
}

/** The postings of one term as bytes: seven bits of a number each, lowest first; all but its last have the eighth. */
const packPostings = (list: readonly number[]): Uint8Array => {
  const bytes: number[] = []
  for (const [n, value] of list.entries()) {
    let rest = n % 2 === 0 ? value - (list[n - 2] ?? -1) : value
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  return Uint8Array.from(bytes)
}

const pack = (lists: Lists, terms: readonly string[]) => {
  const frequencies = new Uint32Array(terms.length)
  const starts = new Uint32Array(terms.length + 1)
  const postings = terms.map((term, n) => {
    const list = lists.get(term) ?? []
    const bytes = packPostings(list)
    frequencies[n] = list.length / 2
    starts[n + 1] = (starts[n] ?? 0) + bytes.length
    return bytes
  })
  return { frequencies, starts, postings: Buffer.concat(postings) }
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

import { analyse } from '../../../../shared/memory/search/analyse.ts'

/** A number that a text always has (FNV-1a). */
const hash = (text: string): number => {
  let value = 2_166_136_261
  for (let n = 0; n < text.length; n += 1) value = Math.imul(value ^ text.charCodeAt(n), 16_777_619)
  return value >>> 0
}

const trigrams = (word: string): string[] => {
  const framed = `^${word}$`
  return Array.from({ length: Math.max(1, framed.length - 2) }, (_, n) => framed.slice(n, n + 3))
}

/** A point of length one made of a text's words, stems and groups of three letters, always the same for the same text. */
export const embedText = (text: string, dimensions: number): number[] => {
  const values = new Array<number>(dimensions).fill(0)
  const add = (feature: string, by: number) => {
    const at = hash(feature)
    values[at % dimensions] = (values[at % dimensions] ?? 0) + (at & 0x80000000 ? by : -by)
  }
  for (const [term, count] of analyse(text).terms) {
    const weight = 1 + Math.log(count)
    add(`word ${term}`, weight)
    for (const part of trigrams(term)) add(part, weight / (2 * term.length))
  }
  const length = Math.hypot(...values)
  // A text without words lies somewhere too: a point of length zero is none.
  return length === 0 ? values.map((_, n) => (n === 0 ? 1 : 0)) : values.map((value) => value / length)
}

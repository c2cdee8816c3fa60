import { isMistyped, readPrompt, type Wanted } from './query.ts'
import { eachPosting, placeOf, type Segment } from './segment.ts'

/** A found memory: its segment, its id, and how well it matches, from 0 to 1. */
export interface Found {
  segment: number
  id: string
  score: number
}

/** The matching terms of one segment for one word of the prompt, by position, with their weights. */
type Terms = ReadonlyMap<number, number>

const stemWorth = 0.8
const mistypedWorth = 0.6

const exactIn = ({ terms }: Segment, { word, forms }: Wanted): Terms => {
  const found = new Map<number, number>()
  for (const form of forms) {
    const place = placeOf(terms, form)
    if (terms[place] === form) found.set(place, form === word ? 1 : stemWorth)
  }
  return found
}

const mistypedIn = ({ terms }: Segment, { word }: Wanted): Terms => {
  const found = new Map<number, number>()
  for (const [place, term] of terms.entries()) if (isMistyped(term, word)) found.set(place, mistypedWorth)
  return found
}

/** The terms of each segment that match a word of the prompt; terms with a typing error only if no memory has another. */
const termsIn = (segments: readonly Segment[], wanted: Wanted): Terms[] => {
  const exact = segments.map((segment) => exactIn(segment, wanted))
  return exact.some(({ size }) => size > 0) ? exact : segments.map((segment) => mistypedIn(segment, wanted))
}

// BM25 with its usual saturation; memories are short, so length counts for less.
const saturation = 1.2
const lengthShare = 0.6

/** The inverse document frequency of a word among all searched memories, as in BM25: the same for all collections. */
const rarity = (frequency: number, memories: number): number =>
  Math.log(1 + (memories - frequency + 0.5) / (frequency + 0.5))

const frequencyOf = ({ frequencies }: Segment, terms: Terms): number => {
  let max = 0
  for (const place of terms.keys()) max = Math.max(max, frequencies[place] ?? 0)
  return max
}

/** The score of each memory of a segment; a word counts once, in its best form. */
const scoreSegment = (segment: Segment, words: readonly { weight: number; terms: Terms }[], averageLength: number) => {
  const total = new Float32Array(segment.ids.length)
  for (const { weight, terms } of words) {
    const best = new Float32Array(total.length)
    for (const [term, worth] of terms) {
      eachPosting(segment, term, (place, count) => {
        const length = (segment.lengths[place] ?? 0) / averageLength
        const fullness = count + saturation * (1 - lengthShare + lengthShare * length)
        best[place] = Math.max(best[place] ?? 0, (weight * worth * count * (saturation + 1)) / fullness)
      })
    }
    for (let place = 0; place < best.length; place += 1) total[place] = (total[place] ?? 0) + (best[place] ?? 0)
  }
  return total
}

/** The positions with the highest scores above zero, up to a number; includes ties, unordered. */
const highest = (scores: Float32Array, max: number): number[] => {
  const positive = scores.filter((score) => score > 0).sort()
  const least = positive[Math.max(0, positive.length - max)] ?? Number.POSITIVE_INFINITY
  const places: number[] = []
  for (const [place, score] of scores.entries()) if (score > 0 && score >= least) places.push(place)
  return places
}

/** The memories of all segments that match a prompt best, best first. A score is the share of the best possible one. */
export const rank = (segments: readonly Segment[], prompt: string, max: number): Found[] => {
  const memories = segments.reduce((sum, { ids }) => sum + ids.length, 0)
  const averageLength = Math.max(1, segments.reduce((sum, { totalLength }) => sum + totalLength, 0) / memories)
  const spoken = [...new Set(segments.flatMap(({ languages }) => languages))]
  const words = readPrompt(prompt, spoken).map((wanted) => {
    const terms = termsIn(segments, wanted)
    const frequency = segments.reduce((sum, segment, n) => sum + frequencyOf(segment, terms[n] ?? new Map()), 0)
    return { weight: rarity(frequency, memories), terms }
  })
  const ideal = words.reduce((sum, { weight }) => sum + weight * (saturation + 1), 0)
  return segments
    .flatMap((segment, n) => {
      const own = words.map(({ weight, terms }) => ({ weight, terms: terms[n] ?? new Map<number, number>() }))
      const scores = scoreSegment(segment, own, averageLength)
      return highest(scores, max).map((place) => ({
        segment: n,
        id: segment.ids[place] ?? '',
        score: Math.min(1, (scores[place] ?? 0) / ideal),
      }))
    })
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1))
    .slice(0, max)
}

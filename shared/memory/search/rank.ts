import { expand, type Terms } from './expand.ts'
import { readPrompt, type Wanted } from './query.ts'
import { eachPosting, type Segment } from './segment.ts'

/** A found memory: its segment, its id, and how well it matches, from 0 to 1. */
export interface Found {
  segment: number
  id: string
  score: number
}

// BM25+ with its usual parameters (Lv and Zhai, 2011); memories are short, so length counts for less.
const saturation = 1.2
const lengthShare = 0.6
const presence = 0.5

/** The inverse document frequency of a word among all searched memories, as in BM25: the same for all collections. */
const rarity = (frequency: number, memories: number): number =>
  Math.log(1 + (memories - frequency + 0.5) / (frequency + 0.5))

const frequencyOf = ({ frequencies }: Segment, terms: Terms): number => {
  let most = 0
  for (const place of terms.keys()) most = Math.max(most, frequencies[place] ?? 0)
  return most
}

/** The score of each memory of a segment; a word counts once, in its best form. */
const scoreSegment = (segment: Segment, words: readonly { weight: number; terms: Terms }[], averageLength: number) => {
  const total = new Float32Array(segment.ids.length)
  const best = new Float32Array(segment.ids.length)
  for (const { weight, terms } of words) {
    const touched: number[] = []
    for (const [term, worth] of terms) {
      eachPosting(segment, term, (place, count) => {
        const length = (segment.lengths[place] ?? 0) / averageLength
        const fullness = count + saturation * (1 - lengthShare + lengthShare * length)
        const score = weight * worth * (presence + (count * (saturation + 1)) / fullness)
        const before = best[place] ?? 0
        if (before === 0) touched.push(place)
        if (score > before) best[place] = score
      })
    }
    for (const place of touched) {
      total[place] = (total[place] ?? 0) + (best[place] ?? 0)
      best[place] = 0
    }
  }
  return total
}

/** The positions with the highest scores above zero, up to a number; includes ties, unordered. */
const highest = (scores: Float32Array, most: number): number[] => {
  const positive = scores.filter((score) => score > 0).sort()
  const least = positive[Math.max(0, positive.length - most)] ?? Number.POSITIVE_INFINITY
  const places: number[] = []
  for (const [place, score] of scores.entries()) if (score > 0 && score >= least) places.push(place)
  return places
}

/** The forms of the prompt's words in the languages of the segments. */
export const wantedIn = (segments: readonly Segment[], prompt: string): Wanted[] =>
  readPrompt(prompt, [...new Set(segments.flatMap(({ languages }) => languages))].sort())

/** The memories of all segments that match a prompt best, best first. A score is the share of the best possible one. */
export const rank = (segments: readonly Segment[], prompt: string, most: number): Found[] => {
  const memories = segments.reduce((sum, { ids }) => sum + ids.length, 0)
  const averageLength = Math.max(1, segments.reduce((sum, { totalLength }) => sum + totalLength, 0) / memories)
  let ideal = 0
  const words = wantedIn(segments, prompt).map((wanted) => {
    const terms = expand(segments, wanted)
    const frequency = segments.reduce((sum, segment, n) => sum + frequencyOf(segment, terms[n] ?? new Map()), 0)
    const weight = rarity(frequency, memories)
    ideal += weight * (presence + saturation + 1)
    return { weight, terms }
  })
  return segments
    .flatMap((segment, n) => {
      const own = words.map(({ weight, terms }) => ({ weight, terms: terms[n] ?? new Map<number, number>() }))
      const scores = scoreSegment(segment, own, averageLength)
      return highest(scores, most).map((place) => ({
        segment: n,
        id: segment.ids[place] ?? '',
        score: Math.min(1, (scores[place] ?? 0) / ideal),
      }))
    })
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1))
    .slice(0, most)
}

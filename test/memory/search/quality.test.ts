import { describe, expect, test } from 'vitest'
import { analyse } from '../../../shared/memory/search/analyse.ts'
import { rank } from '../../../shared/memory/search/rank.ts'
import { makeSegment, type Segment } from '../../../shared/memory/search/segment.ts'
import { type Kind, type Query, queries } from './labelled/queries.ts'
import { topics } from './labelled/topics.ts'

const idOf = (topic: string, index: number) => `${topic}-${index}`
const all = Object.entries(topics).flatMap(([topic, texts]) =>
  texts.map((text, index) => ({ id: idOf(topic, index), text })),
)
const kinds: readonly Kind[] = ['exact', 'inflected', 'typo', 'order', 'paraphrase']
const depth = 5

/** All topics in one collection, and each in its own collection: words are equally rare in both. */
const together: readonly Segment[] = [makeSegment(all.map(({ id, text }) => ({ id, ...analyse(text) })))]
const apart: readonly Segment[] = Object.entries(topics).map(([topic, texts]) =>
  makeSegment(texts.map((text, index) => ({ id: idOf(topic, index), ...analyse(text) }))),
)

const recall = ({ topic, indexes }: Query, hits: readonly string[]) =>
  indexes.filter((index) => hits.slice(0, depth).includes(idOf(topic, index))).length / indexes.length

const measure = (search: (prompt: string) => string[]) => {
  const table = new Map<Kind, { sum: number; count: number }>()
  for (const query of queries) {
    const row = table.get(query.kind) ?? { sum: 0, count: 0 }
    row.sum += recall(query, search(query.prompt))
    row.count += 1
    table.set(query.kind, row)
  }
  return table
}

const print = (name: string, table: ReturnType<typeof measure>) => {
  const cells = kinds.map((kind) => {
    const { sum, count } = table.get(kind) ?? { sum: 0, count: 1 }
    return `${kind} ${(sum / count).toFixed(2)} (${count})`
  })
  console.log(`recall@${depth} ${name.padEnd(8)} ${cells.join('  ')}`)
}

const shareOf = (table: ReturnType<typeof measure>, kind: Kind) => {
  const { sum, count } = table.get(kind) ?? { sum: 0, count: 1 }
  return sum / count
}

test('the labeled set is large enough to be significant', () => {
  expect(all.length).toBeGreaterThanOrEqual(300)
  expect(queries.length).toBeGreaterThanOrEqual(120)
  expect(new Set(queries.map(({ prompt }) => prompt)).size).toBe(queries.length)
  const wrong = queries.filter(({ topic, indexes }) => indexes.some((index) => topics[topic]?.[index] === undefined))
  expect(wrong).toEqual([])
})

describe.each([
  ['together', together],
  ['apart', apart],
] as const)('all topics %s', (name, segments) => {
  test('finds exact, inflected, mistyped, and reordered words', () => {
    const table = measure((prompt) => rank(segments, prompt, depth).map(({ id }) => id))
    print(name, table)
    expect(shareOf(table, 'exact')).toBeGreaterThanOrEqual(0.95)
    expect(shareOf(table, 'inflected')).toBeGreaterThanOrEqual(0.85)
    expect(shareOf(table, 'typo')).toBeGreaterThanOrEqual(0.85)
    expect(shareOf(table, 'order')).toBeGreaterThanOrEqual(0.95)
    expect(shareOf(table, 'paraphrase')).toBeGreaterThanOrEqual(0.3)
  })
})

import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { Id } from '../../http/id.ts'
import { wellFormed } from '../../text/well-formed.ts'
import { CollectionColor } from '../collection.ts'
import { MemoryView, viewMemory } from '../memory.ts'
import { languages } from './languages.ts'
import { passageOf } from './passage.ts'
import { readPrompt } from './query.ts'
import type { FoundMemory } from './search.ts'

const Prompt = z.string().check(
  z.refine((text) => /\S/.test(text), { error: 'must not be blank' }),
  z.maxLength(2000),
  wellFormed,
)

/** How many hits a search returns by default. */
export const presetTopK = 5

export const SearchMemoryRequest = z
  .strictObject({
    prompt: described(Prompt, 'What to look for, in your own words, at most 2,000 characters.'),
    collectionIds: described(
      z.array(Id).check(z.minLength(1), z.maxLength(10)),
      'The IDs of the collections to search, `col_…`: 1 to 10.',
    ),
    topK: described(
      z.optional(z.int().check(z.minimum(1), z.maximum(20)).register(z.globalRegistry, { default: presetTopK })),
      'The most hits to return, 1 to 20.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'SearchMemoryRequest',
    description: 'What to look for, and where.',
  })
export type SearchMemoryRequest = z.infer<typeof SearchMemoryRequest>

const Place = z.object({
  start: described(z.int(), 'Where the word begins, in UTF-16 units from 0.'),
  end: described(z.int(), 'Where the word ends, exclusive.'),
})

/** A memory that matches a prompt. */
export const MemoryHit = z
  .object({
    memory: MemoryView,
    score: described(
      z.number().check(z.minimum(0), z.maximum(1)),
      'How well it matches, 0 to 1. Compare scores only within one response.',
    ),
    collection: described(
      z.object({
        id: described(z.string(), 'The ID of the collection, `col_…`.'),
        name: described(z.string(), 'The name of the collection.'),
        color: CollectionColor,
      }),
      'The collection that the memory is in.',
    ),
    passage: described(
      z.object({
        text: described(z.string(), 'The text of that part, at most 240 UTF-16 units.'),
        highlights: described(z.array(Place), 'Where the words of the prompt are in `text`.'),
      }),
      'The part of the memory that matches best.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'MemoryHit',
    description: 'A memory that matches a prompt.',
  })

export const MemoryHits = z.object({
  hits: described(z.array(MemoryHit), 'The memories that match, the best first. Empty if none does.'),
})

/** The response of a search, as the API shows it. */
export const viewHits = (found: readonly FoundMemory[], prompt: string) => {
  const wanted = readPrompt(prompt, languages)
  return {
    hits: found.map(({ memory, score, searched: { collection } }) => ({
      memory: viewMemory(memory),
      score: Math.round(score * 10_000) / 10_000,
      collection: { id: collection.id, name: collection.name, color: collection.color },
      passage: passageOf(memory.text, wanted),
    })),
  }
}

import { embed } from '../../aws/embeddings.ts'
import { deleteVectors, putVectors, queryVectors, type Vector } from '../../aws/vectors.ts'
import type { Context } from '../../context.ts'
import type { Memory } from '../memory.ts'
import type { Engine, Hit, IndexWork, Searched } from './engine.ts'
import { rankSegments } from './lexical.ts'
import { makeSegment } from './segment.ts'
import { lowest, memoriesBetween, readUnindexed } from './unindexed.ts'

/** How many texts are embedded concurrently: within the default quota of the model, and a batch takes seconds. */
const sideBySide = 8
const batch = 40
const maxAtOnce = 1_600

/** How long a search waits for the model and the vectors together. */
const timeoutMs = 4_000

/** The mark for the current vector index; another index starts empty. */
const markOf = (ctx: Context, index: IndexWork['row'] | undefined): string =>
  index?.vectorSpace === ctx.env('VECTOR_INDEX') ? (index.vectorMark ?? lowest) : lowest

const vectorsOf = async (ctx: Context, memories: readonly Memory[]): Promise<Vector[]> => {
  const vectors: Vector[] = []
  for (let from = 0; from < memories.length; from += sideBySide) {
    const some = memories.slice(from, from + sideBySide).map(async ({ id, workspaceId, collectionId, text }) => {
      return { id, workspaceId, collectionId, values: await embed(ctx, text) }
    })
    vectors.push(...(await Promise.all(some)))
  }
  return vectors
}

/**
 * Embeds memories in batches and stores the progress after each: an interrupted worker continues after the last one.
 */
const place = async (ctx: Context, work: IndexWork) => {
  const vectorSpace = ctx.env('VECTOR_INDEX')
  let placed = 0
  for await (const page of memoriesBetween(ctx, work.row, markOf(ctx, work.row), work.below)) {
    for (let from = 0; from < page.length; from += batch) {
      const memories = page.slice(from, from + batch)
      const [first] = memories
      if (first === undefined) break
      if (placed >= maxAtOnce) {
        await work.keep({ vectorSpace, vectorMark: first.id })
        return { hasMore: true }
      }
      await putVectors(ctx, await vectorsOf(ctx, memories))
      placed += memories.length
      const next = page[from + batch]
      if (next) await work.keep({ vectorSpace, vectorMark: next.id })
    }
  }
  await work.keep({ vectorSpace, vectorMark: work.below })
  return { hasMore: false }
}

/** Finds memories without a vector by their words. */
export const searchUnindexed = async (ctx: Context, searched: readonly Searched[], prompt: string) => {
  const places = await Promise.all(
    searched.map(async ({ collection, index }) => {
      const documents = await readUnindexed(ctx, collection, markOf(ctx, index))
      return { collectionId: collection.id, segment: makeSegment(documents) }
    }),
  )
  return (max: number): Hit[] => rankSegments(places, prompt, max)
}

const searchVectors = async (ctx: Context, searched: readonly Searched[], prompt: string): Promise<Hit[]> => {
  const [first] = searched
  if (first === undefined) return []
  const signal = AbortSignal.timeout(timeoutMs)
  const { workspaceId } = first.collection
  const scope = { workspaceId, collectionIds: searched.map(({ collection }) => collection.id) }
  const found = await queryVectors(ctx, scope, await embed(ctx, prompt, signal), { limit: 100, signal })
  return found.map(({ id, collectionId, cosine }) => ({ id, collectionId, score: Math.min(1, Math.max(0, cosine)) }))
}

/** Finds memories by their meaning: a model embeds each text as a vector, and similar texts have near vectors. */
export const vectors: Engine = {
  name: 'vectors',
  async updateIndex(ctx, work) {
    await deleteVectors(ctx, work.removed)
    return place(ctx, work)
  },
  async search(ctx, searched, prompt) {
    const hits = await searchVectors(ctx, searched, prompt)
    return (max) => hits.slice(0, max)
  },
}

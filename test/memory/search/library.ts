import { put, update } from '../../../shared/db/table.ts'
import { ulid } from '../../../shared/ids.ts'
import { collections } from '../../../shared/memory/collection.ts'
import { memories } from '../../../shared/memory/memory.ts'
import { memoryIndexes } from '../../../shared/memory/search/index-row.ts'
import { updateIndex } from '../../../shared/memory/search/update-index.ts'
import type { Kit } from '../../support/start.ts'

export const minuteMs = 60_000

/** A collection with the memories that are given, made through the API. */
export const collect = async (kit: Kit, texts: readonly string[], isPrivate = false) => {
  const { id } = await kit.api.memory.createCollection({ body: { name: 'Notes', isPrivate } })
  const made: { id: string; text: string }[] = []
  for (const text of texts) {
    made.push(await kit.api.memory.create({ body: { text, collectionId: id } }))
    kit.clock.pass(1)
  }
  return { id, memories: made }
}

/** Memories written directly in the table, in parallel: many, and quickly. */
export const fill = async ({ ctx, clock, workspaceId, user }: Kit, collectionId: string, texts: readonly string[]) => {
  const createdAt = new Date(clock.now()).toISOString()
  const rows = texts.map((text, n) => {
    const id = `mem_${ulid(clock.now() + n)}`
    return { id, workspaceId, collectionId, text, createdBy: user.id, createdAt }
  })
  await Promise.all(rows.map((row) => put(ctx, memories.item(row))))
  await update(ctx, collections.key({ workspaceId, id: collectionId }), { add: { memoryCount: rows.length } })
  clock.pass(texts.length)
  return rows
}

/** Texts that share no word with those of the tests. */
export const chaff = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `Filler entry ${n} about nothing, number ${n * 7919}`)

/** Has the indexes brought up to date, as soon as what there is may be indexed. */
export const index = async (kit: Kit, collectionId: string) => {
  kit.clock.pass(2 * minuteMs)
  await updateIndex(kit.ctx, { workspaceId: kit.workspaceId, collectionId })
  return rowOf(kit, collectionId)
}

export const rowOf = ({ ctx, workspaceId }: Kit, collectionId: string) =>
  memoryIndexes.get(ctx, { workspaceId, id: collectionId })

/** The ids that a search finds, the best first. */
export const find = async (kit: Kit, prompt: string, collectionIds: readonly string[], topK = 20) => {
  const { hits } = await kit.api.memory.search({ body: { prompt, collectionIds: [...collectionIds], topK } })
  return hits.map(({ memory }) => memory.id)
}

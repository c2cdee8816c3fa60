import { type Context, perContext } from '../../context.ts'
import { allOf, between, equal } from '../../db/expression.ts'
import { type Item, query } from '../../db/table.ts'
import { lowestUlid } from '../../ids.ts'
import type { Collection } from '../collection.ts'
import { memories, memoriesOf } from '../memory.ts'
import { analyse } from './analyse.ts'
import type { Document } from './segment.ts'

/** How long after its id was made a row can be committed: longer than the timeout of any function that creates one. */
const commitSlackMs = 60_000

/** No new memory can appear below this id. */
export const settledBelow = (nowMs: number): string => `mem_${lowestUlid(Math.max(0, nowMs - commitSlackMs))}`

type Place = Pick<Collection, 'workspaceId' | 'id'>

/** Below every id, and above every id. */
export const lowest = 'mem_'
const highest = 'mem_~'
const rowsPerPage = 500

/** The memories of a collection between two ids, end exclusive, page by page; oldest first. */
export async function* memoriesBetween(ctx: Context, place: Place, from: string, below: string = highest) {
  const range = between('SK', from, below)
  const key = allOf(equal('PK', memoriesOf(place.workspaceId, place.id)), range)
  let after: Item | undefined
  do {
    const page = await query(ctx, { key, limit: rowsPerPage, ...(after ? { after } : {}) })
    yield memories.readable(ctx, page.items).filter(({ id }) => id < below)
    after = page.next
  } while (after !== undefined)
}

const maxKept = 5_000
const keptDocuments = perContext(() => new Map<string, Document>())

/** A memory as the index sees it. Recent results are cached, because a memory never changes. */
export const documentOf = (ctx: Context, { id, text }: { id: string; text: string }): Document => {
  const kept = keptDocuments(ctx)
  const known = kept.get(id)
  if (known !== undefined) return known
  const document = { id, ...analyse(text) }
  if (kept.size >= maxKept) kept.clear()
  kept.set(id, document)
  return document
}

/** All memories of a collection from an id on, as the index sees them. */
export const readUnindexed = async (ctx: Context, place: Place, from: string): Promise<Document[]> => {
  const documents: Document[] = []
  for await (const page of memoriesBetween(ctx, place, from)) {
    for (const memory of page) documents.push(documentOf(ctx, memory))
  }
  return documents
}

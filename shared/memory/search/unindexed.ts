import { type Context, perContext } from '../../context.ts'
import { allOf, type Condition, equal } from '../../db/expression.ts'
import { type Item, query } from '../../db/table.ts'
import { lowestUlid } from '../../ids.ts'
import type { Collection } from '../collection.ts'
import { memories, memoriesOf } from '../memory.ts'
import { analyse } from './analyse.ts'
import type { Document } from './segment.ts'

/** A row may be committed so long after its id was made: longer than any function of ours that makes one may run. */
const commitSlackMs = 60_000

/** Below this id every memory that will ever be is there already. */
export const settledBelow = (nowMs: number): string => `mem_${lowestUlid(Math.max(0, nowMs - commitSlackMs))}`

type Place = Pick<Collection, 'workspaceId' | 'id'>

/** Below and above every id. */
export const lowest = 'mem_'
const highest = 'mem_~'
const rowsPerPage = 500

/** The memories of a collection from one id up to another, itself left out, page by page; oldest first. */
export async function* memoriesBetween(ctx: Context, place: Place, from: string, below: string = highest) {
  const range: Condition = { is: 'between', name: 'SK', value: from, to: below }
  const key = allOf(equal('PK', memoriesOf(place.workspaceId, place.id)), range)
  let after: Item | undefined
  do {
    const page = await query(ctx, { key, limit: rowsPerPage, ...(after ? { after } : {}) })
    yield page.items.map(memories.parse).filter(({ id }) => id < below)
    after = page.next
  } while (after !== undefined)
}

const maxKept = 5_000
const keptDocuments = perContext(() => new Map<string, Document>())

/** A memory as the index sees it. What was read of late is kept: a memory never changes. */
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

import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { equal } from './expression.ts'
import { type BatchRows, type Item, type Key, queryAll, type Write } from './table.ts'

const shards = 8

/** By how much each named count moves; zero moves nothing. */
export type Moves = ReadonlyMap<string, number>

/** Where the counts of one kind of row lie. */
export const countsOf = (workspaceId: string, kind: string): string => `WS#${workspaceId}#COUNT#${kind}`

/**
 * The write that moves a workspace's counts of one kind of row: one random shard of eight, so that two transactions
 * seldom meet. A shard may go below zero; only sums mean anything (publishing pipeline, rule 9).
 */
export const moveCounts = (workspaceId: string, kind: string, moves: Moves): Write[] => {
  const add = Object.fromEntries([...moves].filter(([, by]) => by !== 0))
  if (Object.keys(add).length === 0) return []
  return [{ update: { PK: countsOf(workspaceId, kind), SK: `${randomInt(shards)}` }, change: { add } }]
}

const sumOf =
  (rows: readonly Item[]) =>
  (name: string): number =>
    rows.reduce((sum, row) => sum + (typeof row[name] === 'number' ? row[name] : 0), 0)

/** The rows of all shards, for a route that has them read together with its authorization. */
export const countKeysOf = (workspaceId: string, kind: string): Key[] =>
  Array.from({ length: shards }, (_, shard) => ({ PK: countsOf(workspaceId, kind), SK: `${shard}` }))

/** The sums over all shards that were read so. */
export const countsIn = (found: BatchRows, workspaceId: string, kind: string): ((name: string) => number) =>
  sumOf(countKeysOf(workspaceId, kind).map((key) => found.item(key) ?? {}))

/** The sums over all shards: one strong Query of at most eight small rows. */
export const readCounts = async (
  ctx: Context,
  workspaceId: string,
  kind: string,
): Promise<(name: string) => number> => {
  const rows = await queryAll(ctx, { key: equal('PK', countsOf(workspaceId, kind)) })
  return sumOf(rows)
}

import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { equal } from './expression.ts'
import { type BatchRows, type Item, type Key, queryAll, type Write } from './table.ts'

const shards = 8

/** By how much each named count changes; zero changes nothing. */
export type Moves = ReadonlyMap<string, number>

/** The partition of the counters of one kind of row. */
export const countsOf = (workspaceId: string, kind: string): string => `WS#${workspaceId}#COUNT#${kind}`

/**
 * The write that changes a workspace's counts of one kind of row: one random shard of eight, so that two transactions
 * seldom conflict. A shard can be negative; only the sum has a meaning (publishing pipeline, rule 9).
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

/** The rows of all shards, to be read together with the authorization. */
export const countKeysOf = (workspaceId: string, kind: string): Key[] =>
  Array.from({ length: shards }, (_, shard) => ({ PK: countsOf(workspaceId, kind), SK: `${shard}` }))

/** The sums over the shards of a batch read. */
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

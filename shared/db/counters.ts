import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { type BatchRows, batchGet, type Key, type Write } from './table.ts'

const shards = Array.from({ length: 8 }, (_, shard) => shard)

/** By how much each named counter changes; zero changes nothing. */
export type Moves = ReadonlyMap<string, number>

/** The partition of counts that are stored in one row. */
export const countsOf = (workspaceId: string, kind: string): string => `WS#${workspaceId}#COUNT#${kind}`

/**
 * The counters of one kind of row: eight rows, each in a separate partition. A partition takes 1,000 write units a
 * second, and rows with one partition key begin in one partition.
 */
const shardKey = (workspaceId: string, kind: string, shard: number): Key => ({
  PK: `${countsOf(workspaceId, kind)}#${shard}`,
  SK: 'COUNT',
})

/** The keys of all shards, to be read together with the authorization. */
export const countKeysOf = (workspaceId: string, kind: string): Key[] =>
  shards.map((shard) => shardKey(workspaceId, kind, shard))

/**
 * The write that changes a workspace's counts of one kind of row: one random shard of eight, so that two transactions
 * seldom conflict. A shard can be negative; only the sum has a meaning (publishing pipeline, rule 9).
 */
export const moveCounts = (workspaceId: string, kind: string, moves: Moves): Write[] => {
  const add = Object.fromEntries([...moves].filter(([, by]) => by !== 0))
  if (Object.keys(add).length === 0) return []
  return [{ update: shardKey(workspaceId, kind, randomInt(shards.length)), change: { add } }]
}

/** The sums over all shards by name, and the names that were ever counted. */
export type Counts = ((name: string) => number) & { names: () => Iterable<string> }

/** The sums over the shards of a batch read. */
export const countsIn = (prefetched: BatchRows, workspaceId: string, kind: string): Counts => {
  const sums = new Map<string, number>()
  for (const key of countKeysOf(workspaceId, kind)) {
    for (const [name, value] of Object.entries(prefetched.item(key) ?? {})) {
      if (typeof value === 'number') sums.set(name, (sums.get(name) ?? 0) + value)
    }
  }
  return Object.assign((name: string) => sums.get(name) ?? 0, { names: () => sums.keys() })
}

/** The sums over all shards: one strong batch read of eight small rows. */
export const readCounts = async (ctx: Context, workspaceId: string, kind: string): Promise<Counts> =>
  countsIn(await batchGet(ctx, countKeysOf(workspaceId, kind)), workspaceId, kind)

import { countKeysOf } from '../../../shared/db/counters.ts'
import { sweepShards } from '../../../shared/resources.ts'
import type { Consumption } from '../../capacity/recorder.ts'

/** How the invocations that publish on a platform grow while posts are waiting. */
export interface Growth {
  batchSize: number
  first: number
  perSecond: number
  max: number
}

/** What a deployment allows, as its templates say. */
export interface Limits {
  platforms: Readonly<Record<string, Growth>>
  /** Write units that the table and each index take per second before they have grown. */
  writeUnits: Readonly<Record<string, number>>
}

/**
 * The write units of one post from its preparation to its webhooks: in the table, in each index, in the partition of its
 * workspace, and in the counters of that.
 */
export interface Units {
  writes: Readonly<Record<string, number>>
  partition: number
  counters: number
}

/** Assumed, not measured: a batch of posts that are late is published in parallel, and each call takes a second. */
export const secondsPerBatch = 1.2
/** Lambda quotas, concurrent executions of an account; adjustable. */
const accountConcurrency = 1_000
/** DynamoDB developer guide, best practices for partition keys. */
const unitsPerPartition = 1_000
/** EventBridge Scheduler quotas, invocations throttle limit in most regions; adjustable. */
const schedulesPerSecond = 1_000

const sum = (rows: readonly Consumption[]) => rows.reduce((total, { writeUnits }) => total + writeUnits, 0)

/** What a post costs once it is scheduled. */
export const unitsOf = (rows: readonly Consumption[]): Units => {
  const published = rows.filter(({ functionName }) => functionName !== 'posts-schedule')
  const targets = [...new Set(published.map(({ index }) => index ?? 'table'))]
  return {
    writes: Object.fromEntries(
      targets.map((target) => [target, sum(published.filter(({ index = 'table' }) => index === target))]),
    ),
    partition: sum(published.filter(({ itemType, index }) => itemType === 'Post' && index === undefined)),
    counters: sum(published.filter(({ itemType }) => itemType === 'Counter')),
  }
}

/** How many seconds so many posts take while the invocations grow, and then with the most of them. */
const secondsOn = (posts: number, { batchSize, first, perSecond, max }: Growth, share: number): number => {
  const end = Math.min(max, share)
  const begin = Math.min(first, end)
  const perInvocation = batchSize / secondsPerBatch
  const growing = (end - begin) / perSecond
  const postsDuringGrowth = perInvocation * growing * ((begin + end) / 2)
  if (posts >= postsDuringGrowth) return growing + (posts - postsDuringGrowth) / (perInvocation * end)
  return (Math.sqrt(begin ** 2 + (2 * perSecond * posts) / perInvocation) - begin) / perSecond
}

/** How many seconds each part needs for so many posts. */
const columnsOf = ({ platforms, writeUnits }: Limits, { writes, partition, counters }: Units) => {
  const all = Object.values(platforms)
  const ofTable = (posts: number) =>
    Math.max(...Object.entries(writes).map(([target, units]) => (posts * units) / (writeUnits[target] ?? 1)))
  return {
    'One platform (X)': (posts: number) => (platforms['x'] ? secondsOn(posts, platforms['x'], accountConcurrency) : 0),
    'All platforms, evenly': (posts: number) =>
      Math.max(...all.map((load) => secondsOn(posts / all.length, load, accountConcurrency / all.length))),
    'A new table': ofTable,
    // Each shard is its own key. The posts of one workspace share theirs, its account its key, and the counters have eight.
    'Sweep index': (posts: number) => (posts * (writes['sweep'] ?? 0)) / (sweepShards * unitsPerPartition),
    'One workspace': (posts: number) =>
      (posts * Math.max(partition, writes['account'] ?? 0, counters / countKeysOf('', '').length)) / unitsPerPartition,
    Scheduler: (posts: number) => posts / schedulesPerSecond,
  }
}

const spell = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${(seconds / 60).toFixed(seconds < 600 ? 1 : 0)} min`

/** How long posts that are due at one moment take, in Markdown; the slowest part of a row decides. */
export const throughputTable = (units: Units, limits: Readonly<Record<string, Limits>>): string => {
  const deployments = Object.entries(limits).map(([name, own]) => ({ name, columns: columnsOf(own, units) }))
  const heads = Object.keys(deployments[0]?.columns ?? {})
  const rows = [10_000, 100_000, 1_000_000].flatMap((posts) =>
    deployments.map(({ name, columns }) => [
      `${posts.toLocaleString('en-US')}, ${name}`,
      ...Object.values(columns).map((secondsFor) => spell(secondsFor(posts))),
    ]),
  )
  return [['Posts due at once', ...heads], heads.concat('').map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

import { expect, test } from 'vitest'
import { countKeysOf, moveCounts } from '../../shared/db/counters.ts'
import { recordPartitions } from './partitions.ts'
import { consumedByTextPost } from './text-post.ts'

const text = 'We ship the new calendar today: plan a week of posts in one view, and drag them to another hour. Yay'

test('no two counters of a workspace share a partition, and a change takes any of them', () => {
  const partitions = countKeysOf('ws_1', 'POST').map(({ PK }) => PK)
  expect(new Set(partitions).size).toBe(8)
  const changes = Array.from({ length: 400 }, () => moveCounts('ws_1', 'POST', new Map([['all', 1]]))).flat()
  expect(changes).toHaveLength(400)
  const changed = changes.map((write) => ('update' in write ? write.update.PK : ''))
  expect([...new Set(changed)].sort()).toEqual([...partitions].sort())
})

/** A partition takes 1,000 write units a second, so this bounds the posts of one workspace. */
test('a text post writes 5 units to the partition of the posts of its workspace', async () => {
  const { tap, unitsOf, sumOf } = recordPartitions()
  await consumedByTextPost(text, tap)
  const [posts = 0, ...others] = unitsOf(/^WS#\w+#POST$/)
  expect(others).toEqual([])
  expect(posts).toBe(5)
  // Two transactions, each with a counter in some partition.
  expect(unitsOf(/#COUNT#/).reduce((sum, units) => sum + units, 0)).toBe(4)
  expect(sumOf()).toBeGreaterThan(posts)
})

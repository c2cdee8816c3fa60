import { expect, test } from 'vitest'
import { start } from '../support/start.ts'
import { liveCount, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'

const texts = Array.from({ length: 8 }, (_, n) => `one of many ${n}`)

// DynamoDB Local throttles no partition.
const onEmbeddedTable = test.skipIf(process.env['TABLE'] === 'dynamodb-local')

// Far below what DynamoDB gives a partition, so that eight posts are enough to be throttled.
onEmbeddedTable('with a throttled partition, every post is accepted and published once', async () => {
  const kit = await start({ throttling: { writeUnitsPerSecond: 20 } })
  await Promise.all(texts.map((text) => scheduleOn(kit, 'bluesky', text, 30 * 60_000)))
  await kit.service.pass(60 * 60_000)
  expect([...kit.tableErrors]).toContain('ThrottlingException')
  expect(texts.filter((text) => liveCount(kit, text) !== 1)).toEqual([])
  await expectSound(kit)
})

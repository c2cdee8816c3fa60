import { expect, test } from 'vitest'
import { scheduleBoth } from '../../../test/journeys/author.ts'
import { expectSound } from '../../../test/journeys/invariants.ts'
import { start } from '../../../test/support/start.ts'
import { resume } from '../start/resume.ts'

test('a post is published on time, however often the service was killed before and lost all messages', async () => {
  const kit = await start()
  const { queues } = kit.service
  queues.faults.onSend = () => 'lose'
  await scheduleBoth(kit, 'hello', 10_000)
  for (let kills = 0; kills < 6; kills += 1) {
    await kit.service.pass(1_000)
    await resume(kit.ctx)
  }
  queues.faults.onSend = undefined
  await resume(kit.ctx)
  const dueMs = kit.clock.now() + 4_000
  await kit.service.pass(5_000)
  expect(kit.platforms.published().map(({ publishedAt }) => publishedAt)).toEqual([dueMs, dueMs])
  await kit.service.pass(60_000)
  await expectSound(kit)
})

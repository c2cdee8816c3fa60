import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { minuteMs } from '../../shared/time.ts'
import { scheduleOn } from '../journeys/author.ts'
import { start } from '../support/start.ts'

const Line = z.object({ message: z.string(), leaseToken: z.number(), latenessMs: z.number() })

test('a post whose messages are lost leaves a line that says how late its first attempt was', async () => {
  const kit = await start()
  const { id } = await scheduleOn(kit, 'discord', 'late', 5 * minuteMs)
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('publish-discord') ? 'lose' : 'keep')
  await kit.service.pass(7 * minuteMs)
  kit.service.queues.faults.onSend = () => 'keep'
  await kit.service.pass(5 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  const [line] = kit.logged.filter((text) => text.includes('attempt ended'))
  const { leaseToken, latenessMs } = z.parse(Line, JSON.parse(line ?? ''))
  expect([leaseToken, latenessMs > minuteMs]).toEqual([1, true])
})

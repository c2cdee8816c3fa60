import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen, liveCount, scheduleBoth } from './author.ts'
import { expectSound } from './invariants.ts'

/** Every post is live once, and each change was told once. */
const expectOnceEach = async (kit: Kit, text: string, posts: readonly { id: string; platform: string }[]) => {
  for (const { id, platform } of posts) {
    expect({ platform, live: liveCount(kit, text, platform) }).toEqual({ platform, live: 1 })
    expect((await kit.api.posts.get({ params: { id } })).status).toBe('published')
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
  }
  await expectSound(kit)
}

/** A post 20 minutes ahead, under a fault, and the time the sweeper needs to make up for it. */
const liveThrough = async (text: string, arrange: (kit: Kit) => void) => {
  const kit = await start()
  await listen(kit)
  arrange(kit)
  const posts = await scheduleBoth(kit, text, 20 * minuteMs)
  await kit.service.pass(45 * minuteMs)
  await expectOnceEach(kit, text, posts)
  return kit
}

test('every message duplicated: nothing is published twice', async () => {
  await liveThrough('doubled', ({ service }) => {
    service.queues.faults.onSend = () => 'double'
  })
})

test('every first message of a queue lost: the sweeper recovers each one', async () => {
  await liveThrough('lost', ({ service }) => {
    const seen = new Set<string>()
    service.queues.faults.onSend = ({ queueName, body }) => {
      const name = `${queueName} ${body}`
      if (seen.has(name)) return 'keep'
      seen.add(name)
      return 'lose'
    }
  })
})

test('every message delayed by two minutes: late at worst, never twice', async () => {
  await liveThrough('delayed', ({ service }) => {
    service.queues.faults.onSend = () => ({ delaySeconds: 120 })
  })
})

test('messages in any order, processed concurrently', async () => {
  const kit = await start()
  await listen(kit)
  kit.service.queues.faults.reorder = (messages) => [...messages].reverse()
  kit.service.queues.faults.onSend = () => 'double'
  const posts = await scheduleBoth(kit, 'reordered', 2 * minuteMs)
  for (let step = 0; step < 8; step += 1) {
    await kit.service.drain({ order: 'shuffled', together: true })
    kit.clock.pass(30_000)
  }
  await kit.service.pass(20 * minuteMs)
  await expectOnceEach(kit, 'reordered', posts)
})

test('a schedule that never fires causes no delay', async () => {
  const kit = await start()
  await listen(kit)
  kit.service.schedules.faults.onFire = () => 'lose'
  const posts = await scheduleBoth(kit, 'no schedule', 20 * minuteMs)
  const dueMs = kit.clock.now() + 20 * minuteMs
  await kit.service.pass(21 * minuteMs)
  await expectOnceEach(kit, 'no schedule', posts)
  for (const { publishedAt } of kit.platforms.published()) expect(publishedAt - dueMs).toBeLessThanOrEqual(1000)
})

test.each([
  ['twice', 'double'] as const,
  ['five minutes late', { delaySeconds: 300 }] as const,
])('a schedule that fires %s: the post is published once', async (name, fault) => {
  await liveThrough(`schedule ${name}`, ({ service }) => {
    service.schedules.faults.onFire = () => fault
  })
})

test('malformed messages reach the DLQ without blocking the batch', async () => {
  const kit = await liveThrough('beside rubbish', () => {})
  const { SendMessageCommand, SQSClient } = await import('@aws-sdk/client-sqs')
  const QueueUrl = kit.service.queues.queueUrl('social-local-publish-bluesky')
  await new SQSClient({}).send(new SendMessageCommand({ QueueUrl, MessageBody: '{"not":"ours"}' }))
  await kit.service.pass(60 * minuteMs)
  expect(kit.service.queues.peek('social-local-dead-letters').map(({ body }) => body)).toEqual(['{"not":"ours"}'])
})

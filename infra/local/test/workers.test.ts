import { getEventListeners } from 'node:events'
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSEvent } from 'aws-lambda'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { virtualClock } from '../../../test/support/clock.ts'
import { startQueues } from '../engines/queues.ts'
import { makeFeed } from '../workers/feed.ts'
import { nextTick, startPolling } from '../workers.ts'

const startFeed = async (invoke: (event: SQSEvent) => Promise<unknown>) => {
  const clock = virtualClock(Date.UTC(2030, 0, 1))
  const queues = await startQueues({ clock })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const sqs = new SQSClient({ endpoint: queues.url, region: 'us-east-1', credentials })
  onTestFinished(async () => {
    sqs.destroy()
    await queues.close()
  })
  const QueueUrl = queues.queueUrl('jobs')
  await sqs.send(new CreateQueueCommand({ QueueName: 'jobs', Attributes: { VisibilityTimeout: '30' } }))
  const mapping = {
    queueName: 'jobs',
    queueArn: 'arn:aws:sqs:us-east-1:000000000000:jobs',
    functionName: 'run',
    batchSize: 10,
    pollers: 5,
    maxPollers: 8,
    growEveryMs: 200,
  }
  const send = (body: string) =>
    sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: body,
        MessageGroupId: 'ws',
        MessageAttributes: { kind: { DataType: 'String', StringValue: 'x' } },
      }),
    )
  const left = () => queues.peek('jobs').map(({ body, state }) => ({ body, state }))
  return { clock, feed: makeFeed(queues, mapping, invoke), send, left }
}

test('a record has the fields that Lambda sets', async () => {
  const events: SQSEvent[] = []
  const { feed, send, left } = await startFeed(async (event) => void events.push(event))
  await send('a')
  await feed.hand(await feed.receive(0))
  expect(events[0]?.Records).toEqual([
    {
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      body: 'a',
      attributes: expect.objectContaining({ ApproximateReceiveCount: '1', MessageGroupId: 'ws' }),
      messageAttributes: { kind: { stringValue: 'x', dataType: 'String' } },
      md5OfBody: '0cc175b9c0f1b6a831c399e269772661',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:jobs',
      awsRegion: 'us-east-1',
    },
  ])
  expect(left()).toEqual([])
})

test('a poller that runs for days leaves no listeners on its abort signal', async () => {
  const { feed, send } = await startFeed(async () => undefined)
  const { signal } = new AbortController()
  await feed.receive(0, signal)
  await send('a')
  await feed.receive(0, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

const failing = (identifiers: (ids: string[]) => unknown[]) => async (event: SQSEvent) => ({
  batchItemFailures: identifiers(event.Records.map(({ messageId }) => messageId)).map((itemIdentifier) => ({
    itemIdentifier,
  })),
})

test.each([
  ['nothing', async () => undefined, 0],
  ['no failure', failing(() => []), 0],
  ['one failure', failing(([first]) => [first]), 1],
  ['a failure that it did not get', failing(() => ['other']), 3],
  ['a failure without a name', failing(() => ['']), 3],
  ['something else', async () => ({ batchItemFailures: 'all' }), 3],
])('a function that gets three messages and returns %s leaves the right ones', async (_title, invoke, expected) => {
  const { feed, send, left } = await startFeed(invoke)
  for (const body of ['a', 'b', 'c']) await send(body)
  await feed.hand(await feed.receive(0))
  expect(left()).toHaveLength(expected)
  expect(left().every(({ state }) => state === 'inFlight')).toBe(true)
})

test('polling delivers messages, in more concurrent batches when all are busy, and stops on request', async () => {
  let running = 0
  let peak = 0
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { feed, send, left } = await startFeed(async () => {
    running += 1
    peak = Math.max(peak, running)
    await gate
    running -= 1
  })
  const failures: unknown[] = []
  const stop = startPolling([feed], (_name, error) => failures.push(error))
  const inHand = () => left().filter(({ state }) => state === 'inFlight').length
  // One after the other, so that each is its own batch.
  for (let n = 0; n < 12; n += 1) {
    await send(String(n))
    await expect.poll(inHand, { timeout: 5000 }).toBeGreaterThanOrEqual(Math.min(n + 1, 8))
  }
  expect(peak).toBe(8)
  release()
  await expect.poll(left).toEqual([])
  await stop()
  expect(peak).toBe(8)
  await send('late')
  expect([running, failures, left().map(({ body }) => body)]).toEqual([0, [], ['late']])
})

test('a scheduled rule runs at full minutes after the current time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1440 }), fc.integer({ min: 0, max: 2 ** 42 }), (everyMinutes, nowMs) => {
      const strikeAt = nextTick(everyMinutes, nowMs)
      expect(strikeAt % (everyMinutes * minuteMs)).toBe(0)
      expect(strikeAt).toBeGreaterThan(nowMs)
      expect(strikeAt - nowMs).toBeLessThanOrEqual(everyMinutes * minuteMs)
    }),
  )
})

import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '../../../shared/time.ts'
import { virtualClock } from '../../../test/support/clock.ts'
import { startQueues } from '../engines/queues.ts'
import { startSchedules } from '../engines/schedules.ts'
import { makeVirtualTime } from '../service/virtual-time.ts'
import { makeFeed } from '../workers/feed.ts'

const startMs = Date.UTC(2030, 0, 1, 12, 0, 30)

const make = async (work: (bodies: string[]) => Promise<unknown> = async () => undefined, isIdle = () => false) => {
  const clock = virtualClock(startMs)
  const queues = await startQueues({ clock })
  const schedules = await startSchedules({ clock, deliver: async () => undefined })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const sqs = new SQSClient({ endpoint: queues.url, region: 'us-east-1', credentials })
  onTestFinished(async () => {
    sqs.destroy()
    await Promise.all([queues.close(), schedules.close()])
  })
  await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }))
  const QueueUrl = queues.queueUrl('jobs')
  const send = (MessageBody: string, DelaySeconds = 0) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }))
  const mapping = {
    queueName: 'jobs',
    queueArn: 'arn:jobs',
    functionName: 'run',
    batchSize: 2,
    pollers: 5,
    maxPollers: 5,
    growEveryMs: 200,
  }
  const feed = makeFeed(queues, mapping, (event) => work(event.Records.map(({ body }) => body)))
  const tickedAt: number[] = []
  const reported: unknown[] = []
  const time = makeVirtualTime({
    clock,
    queues,
    schedules,
    feeds: [feed],
    clocks: [
      {
        functionName: 'tick',
        functionArn: 'tick',
        ruleArn: 'arn:aws:events:us-east-1:000000000000:rule/clock',
        everyMinutes: 1,
      },
    ],
    tick: async () => void tickedAt.push(clock.now()),
    isIdle,
    report: (_functionName, error) => reported.push(error),
  })
  return { time, clock, send, tickedAt, reported }
}

test('scheduled rules run at every full minute that passes, or as rarely as requested', async () => {
  const { time, tickedAt } = await make()
  await time.pass(3 * minuteMs)
  expect(tickedAt.map((ms) => (ms - startMs) / minuteMs)).toEqual([0.5, 1.5, 2.5])
  tickedAt.length = 0
  await time.pass(60 * minuteMs, { tickMinutes: 30 })
  expect(tickedAt.map((ms) => new Date(ms).getUTCMinutes())).toEqual([4, 30, 0])
  tickedAt.length = 0
  await time.pass(minuteMs)
  expect(tickedAt).toHaveLength(1)
})

test('a scheduled rule whose function has nothing to do does not run', async () => {
  let idle = true
  const { time, tickedAt } = await make(undefined, () => idle)
  await time.pass(3 * minuteMs)
  expect(tickedAt).toEqual([])
  idle = false
  await time.pass(minuteMs)
  expect(tickedAt).toHaveLength(1)
})

test('a delayed message is delivered at its second, and its consequences immediately', async () => {
  const seen: [string, number][] = []
  const { time, clock, send } = await make(async ([body = '']) => {
    seen.push([body, clock.now() - startMs])
    if (body === 'first') await send('second')
  })
  await send('first', 7)
  await time.pass(10_000)
  expect(seen).toEqual([
    ['first', 7_000],
    ['second', 7_000],
  ])
  expect(clock.now()).toBe(startMs + 10_000)
})

test('a drain delivers everything once, in batches, sequentially or concurrently', async () => {
  let [running, peak] = [0, 0]
  const batches: number[] = []
  const { time, send } = await make(async (bodies) => {
    batches.push(bodies.length)
    running += 1
    peak = Math.max(peak, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
  })
  const sendFive = () => Promise.all(['a', 'b', 'c', 'd', 'e'].map((body) => send(body)))
  await sendFive()
  expect(await time.deliver()).toBe(5)
  expect([batches, peak]).toEqual([[2, 2, 1], 1])
  await sendFive()
  expect(await time.deliver({ order: 'shuffled', together: true })).toBe(5)
  expect([batches.length, peak]).toEqual([6, 3])
  expect(await time.deliver()).toBe(0)
})

test('a failed invocation is reported, and its messages return', async () => {
  let failures = 1
  const { time, send, reported } = await make(async () => {
    failures -= 1
    if (failures >= 0) throw new Error('no')
  })
  await send('a')
  await time.drain()
  expect(reported).toEqual([new Error('no')])
  await time.pass(30_000)
  expect(failures).toBe(-1)
})

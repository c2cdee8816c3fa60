import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as aws from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import { startQueues } from '../../engines/queues.ts'
import {
  bodies,
  clientOf,
  counts,
  hide,
  local,
  nameOf,
  now,
  one,
  pass,
  queue,
  queues,
  receive,
  refused,
  send,
  sqs,
  withDeadLetters,
} from './queues-bench.ts'

describe('dead letters', () => {
  local('move on the receive after the last allowed one', async () => {
    const { source, dead } = await withDeadLetters(2)
    const sent = await send(source, 'x', { MessageGroupId: 'g' })
    const sentAt = now()
    await one(source)
    pass(5)
    await one(source)
    expect(await counts(dead)).toEqual([0, 0, 0])
    pass(5)
    expect(await counts(source)).toEqual([1, 0, 0])
    expect(await receive(source)).toEqual([])
    const message = await one(dead, { MessageSystemAttributeNames: ['All'] })
    expect(message).toMatchObject({ MessageId: sent.MessageId, Body: 'x' })
    expect(message.Attributes).toMatchObject({ SentTimestamp: String(sentAt), MessageGroupId: 'g' })
  })
  test('move only after every allowed receive, even when a message becomes visible immediately', async () => {
    const { source, dead } = await withDeadLetters(3)
    await send(source, 'x')
    for (const count of ['1', '2', '3']) {
      const message = await one(source, { MessageSystemAttributeNames: ['ApproximateReceiveCount'] })
      expect(message.Attributes).toEqual({ ApproximateReceiveCount: count })
      await hide(source, message.ReceiptHandle, 0)
    }
    expect(await receive(source)).toEqual([])
    expect(await bodies(dead)).toEqual(['x'])
  })
  local('return to their source queue as new messages', async () => {
    const { source, dead, deadArn } = await withDeadLetters(1)
    const sent = await send(source, 'x')
    await one(source)
    pass(5)
    await receive(source)
    await sqs.send(new aws.StartMessageMoveTaskCommand({ SourceArn: deadArn }))
    const { Results } = await sqs.send(new aws.ListMessageMoveTasksCommand({ SourceArn: deadArn }))
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }])
    expect(await counts(dead)).toEqual([0, 0, 0])
    const back = await one(source, { MessageSystemAttributeNames: ['All'] })
    expect(back).toMatchObject({
      Body: 'x',
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(now()) },
    })
    expect(back.MessageId).not.toBe(sent.MessageId)
  })
  test('move only from a dead-letter queue that exists', async () => {
    const { deadArn } = await withDeadLetters(1)
    const move = (SourceArn: string) => sqs.send(new aws.StartMessageMoveTaskCommand({ SourceArn }))
    await refused(move(deadArn.replace(/[^:]+$/, nameOf(await queue()))), 'InvalidParameterValue')
    await refused(move(`${deadArn}-missing`), 'ResourceNotFoundException')
  })
})

// The clock of the local cases stands still: a poll that came back at all did not wait.
describe('long polls', () => {
  const long = { WaitTimeSeconds: 20 }
  test('return immediately when a message is available, whatever the maximum number', async () => {
    const url = await queue()
    await send(url, 'x')
    const startedAt = Date.now()
    expect(await bodies(url, long)).toEqual(['x'])
    expect(Date.now() - startedAt).toBeLessThan(5000)
  })
  test('return when a message is sent, each with its own', async () => {
    const url = await queue()
    const polls = [bodies(url, { ...long, MaxNumberOfMessages: 1 }), bodies(url, { ...long, MaxNumberOfMessages: 1 })]
    await send(url, 'x')
    await send(url, 'y')
    expect((await Promise.all(polls)).flat().sort()).toEqual(['x', 'y'])
  })
  local('return when a delay or a visibility timeout ends', async () => {
    const url = await queue({ VisibilityTimeout: '5' })
    await send(url, 'x', { DelaySeconds: 3 })
    for (const seconds of [3, 5]) {
      const poll = bodies(url, long)
      await sleep(20)
      pass(seconds)
      expect(await poll).toEqual(['x'])
    }
  })
  local('return nothing after the wait time of the request or the queue', async () => {
    const patient = await queue({ ReceiveMessageWaitTimeSeconds: '5' })
    const polls = [receive(await queue(), { WaitTimeSeconds: 5 }), receive(patient, { WaitTimeSeconds: undefined })]
    await sleep(20)
    pass(5)
    expect(await Promise.all(polls)).toEqual([[], []])
  })
  local('take no message for a client that disconnected', async () => {
    const url = await queue()
    const abort = new AbortController()
    const poll = sqs.send(new aws.ReceiveMessageCommand({ QueueUrl: url, ...long }), { abortSignal: abort.signal })
    await sleep(30)
    abort.abort()
    await expect(poll).rejects.toThrow()
    await sleep(30)
    await send(url, 'x')
    expect(await bodies(url)).toEqual(['x'])
  })
  local('wake by themselves with a real clock', async () => {
    let aheadMs = 0
    const real = await startQueues({ clock: { now: () => Date.now() + aheadMs } })
    const client = clientOf(real)
    const { QueueUrl } = await client.send(new aws.CreateQueueCommand({ QueueName: 'real' }))
    await client.send(new aws.SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 1 }))
    aheadMs = 950
    const { Messages } = await client.send(new aws.ReceiveMessageCommand({ QueueUrl, ...long }))
    expect(Messages).toMatchObject([{ Body: 'x' }])
    client.destroy()
    await real.close()
  })
  local('are answered when the engine closes', async () => {
    const closing = await startQueues({ clock: { now } })
    const client = clientOf(closing)
    const { QueueUrl } = await client.send(new aws.CreateQueueCommand({ QueueName: 'closing' }))
    const poll = client.send(new aws.ReceiveMessageCommand({ QueueUrl, ...long }))
    await sleep(30)
    await closing.close()
    expect((await poll).Messages).toBeUndefined()
    client.destroy()
  })
})

describe('faults', () => {
  local('lose, duplicate, and delay sent messages', async () => {
    const url = await queue()
    queues().faults.onSend = ({ body }) =>
      body === 'lost' ? 'lose' : body === 'twice' ? 'double' : body === 'late' ? { delaySeconds: 9 } : 'keep'
    for (const body of ['lost', 'twice', 'late', 'plain']) expect((await send(url, body)).MessageId).toBeDefined()
    expect(await bodies(url)).toEqual(['twice', 'twice', 'plain'])
    pass(9)
    expect(await bodies(url)).toEqual(['late'])
  })
  local('reorder received messages; peeking changes nothing', async () => {
    const url = await queue()
    for (const body of ['1', '2', '3']) await send(url, body)
    expect(
      queues()
        .peek(nameOf(url))
        .map(({ body, state }) => `${body} ${state}`),
    ).toEqual(['1 visible', '2 visible', '3 visible'])
    queues().faults.reorder = (messages) => messages.toReversed()
    expect(await bodies(url, { MaxNumberOfMessages: 2 })).toEqual(['3', '2'])
    expect(
      queues()
        .peek(nameOf(url))
        .map(({ receiveCount }) => receiveCount),
    ).toEqual([0, 1, 1])
  })
})

describe('state', () => {
  local('survives a restart, also without a clean shutdown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'queues-'))
    const first = await startQueues({ clock: { now }, folder })
    const client = clientOf(first)
    const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' }
    const { QueueUrl } = await client.send(new aws.CreateQueueCommand({ QueueName: 'kept.fifo', Attributes }))
    const message = { QueueUrl, MessageBody: 'x', MessageGroupId: 'g' }
    await client.send(new aws.SendMessageCommand(message))
    const taken = await client.send(new aws.ReceiveMessageCommand({ QueueUrl }))

    const second = await startQueues({ clock: { now }, folder })
    const other = clientOf(second)
    const url = second.queueUrl('kept.fifo')
    await other.send(new aws.SendMessageCommand({ ...message, QueueUrl: url }))
    expect(second.peek('kept.fifo')).toMatchObject([{ body: 'x', state: 'inFlight', receiveCount: 1 }])
    await other.send(new aws.DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: taken.Messages?.[0]?.ReceiptHandle }))
    await second.close()
    const third = await startQueues({ clock: { now }, folder })
    expect(third.peek('kept.fifo')).toEqual([])
    await third.close()
    client.destroy()
    other.destroy()
    await first.close()
    await rm(folder, { recursive: true })
  })
  local('that is corrupt is named in the error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'queues-'))
    const file = join(folder, 'queues.sqlite')
    await writeFile(file, 'this is no database')
    await expect(startQueues({ clock: { now }, folder })).rejects.toThrow(file)
    await rm(folder, { recursive: true })
  })
})

import * as aws from '@aws-sdk/client-sqs'
import { describe, expect, test } from 'vitest'
import {
  bodies,
  counts,
  hide,
  local,
  one,
  pass,
  queue,
  queues,
  receive,
  refused,
  remove,
  send,
  sqs,
  withDeadLetters,
} from './queues-bench.ts'

const kind = { FifoQueue: 'true', ContentBasedDeduplication: 'true' }
const group = (MessageGroupId: string, MessageDeduplicationId?: string) => ({ MessageGroupId, MessageDeduplicationId })

describe('FIFO queues', () => {
  test('keep the order of a group, also within one receive', async () => {
    const url = await queue(kind)
    for (const body of ['1', '2', '3']) await send(url, body, group('a'))
    expect(await bodies(url)).toEqual(['1', '2', '3'])
  })
  test('block a group while any of its messages is in flight, and no other group', async () => {
    const url = await queue(kind)
    await send(url, 'a1', group('a'))
    await send(url, 'a2', group('a'))
    const first = await one(url)
    await send(url, 'b1', group('b'))
    expect(await bodies(url)).toEqual(['b1'])
    await remove(url, first.ReceiptHandle)
    expect(await bodies(url)).toEqual(['a2'])
  })
  test('return a message that becomes visible again before its successors', async () => {
    const url = await queue(kind)
    for (const body of ['1', '2', '3']) await send(url, body, group('a'))
    const [first, second] = await receive(url, { MaxNumberOfMessages: 2 })
    await hide(url, first?.ReceiptHandle ?? '', 0)
    expect(await bodies(url)).toEqual([])
    await hide(url, second?.ReceiptHandle ?? '', 0)
    expect(await bodies(url)).toEqual(['1', '2', '3'])
  })
  local('a due message does not wait for a delayed one', async () => {
    const url = await queue({ ...kind, DelaySeconds: '10' })
    await send(url, '1', group('a'))
    pass(9)
    await send(url, '2', group('a'))
    pass(1)
    expect(await bodies(url)).toEqual(['1'])
  })
  local('a delayed message blocks its successors', async () => {
    const url = await queue(kind)
    queues().faults.onSend = ({ body }) => (body === '1' ? { delaySeconds: 5 } : 'keep')
    await send(url, '1', group('a'))
    await send(url, '2', group('a'))
    expect(await bodies(url)).toEqual([])
    pass(5)
    expect(await bodies(url)).toEqual(['1', '2'])
  })
  test('store a duplicate once and return the first response, with the digest of the new body', async () => {
    const url = await queue(kind)
    const first = await send(url, 'one', group('a', 'same'))
    const second = await send(url, 'two', group('b', 'same'))
    expect(second).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber })
    expect(second.MD5OfMessageBody).not.toBe(first.MD5OfMessageBody)
    await send(url, 'one', group('a'))
    await send(url, 'one', group('c'))
    expect(await bodies(url)).toEqual(['one', 'one'])
  })
  test('deduplicate per group when the scope says so', async () => {
    const url = await queue({ ...kind, DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' })
    for (const id of ['a', 'b', 'b']) await send(url, 'x', group(id))
    expect(await receive(url)).toHaveLength(2)
  })
  local('forget a deduplication id after five minutes, deleted or not', async () => {
    const url = await queue(kind)
    await send(url, 'x', group('a'))
    await remove(url, (await one(url)).ReceiptHandle)
    pass(299)
    await send(url, 'x', group('a'))
    expect(await counts(url)).toEqual([0, 0, 0])
    pass(1)
    await send(url, 'x', group('a'))
    expect(await counts(url)).toEqual([1, 0, 0])
  })
  test('return increasing sequence numbers', async () => {
    const url = await queue(kind)
    const sent = [await send(url, '1', group('a')), await send(url, '2', group('a'))]
    const received = await receive(url, { MessageSystemAttributeNames: ['All'] })
    const numbers = received.map(({ Attributes }) => Attributes?.SequenceNumber)
    expect(numbers).toEqual(sent.map(({ SequenceNumber }) => SequenceNumber))
    expect(BigInt(numbers[1] ?? 0)).toBeGreaterThan(BigInt(numbers[0] ?? 0))
    expect(received[0]?.Attributes).toMatchObject({ MessageGroupId: 'a' })
    expect(received[0]?.Attributes?.MessageDeduplicationId).toHaveLength(64)
  })
  test.each<[string, Partial<aws.SendMessageCommandInput>]>([
    ['MissingParameter', {}],
    ['InvalidParameterValue', { ...group('a'), DelaySeconds: 5 }],
  ])('reject %s', async (name, rest) => {
    await refused(send(await queue(kind), 'x', rest), name)
  })
  test('require a deduplication id unless it is derived from the content', async () => {
    const url = await queue({ FifoQueue: 'true' })
    await refused(send(url, 'x', group('a')), 'InvalidParameterValue')
    await send(url, 'x', group('a', 'd'))
    expect(await bodies(url)).toEqual(['x'])
  })
  test.each([
    { QueueName: 'plain', Attributes: kind },
    { QueueName: 'named.fifo' },
  ])('require matching names: %o', async (input) => {
    await refused(sqs.send(new aws.CreateQueueCommand(input)), 'InvalidParameterValue')
  })
  local('reject an expired handle', async () => {
    const url = await queue(kind)
    await send(url, 'x', group('a'))
    const { ReceiptHandle } = await one(url)
    pass(30)
    await refused(remove(url, ReceiptHandle), 'InvalidParameterValue')
  })
  local('unblock the group when its first message moves to the dead-letter queue', async () => {
    const { source, dead } = await withDeadLetters(1, kind)
    await send(source, '1', group('a'))
    await send(source, '2', group('a'))
    await one(source)
    pass(5)
    expect(await bodies(source)).toEqual(['2'])
    expect(await bodies(dead)).toEqual(['1'])
  })
  test('use only FIFO queues as dead-letter queues', async () => {
    const { deadArn } = await withDeadLetters(1)
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: 1 })
    await refused(queue({ ...kind, RedrivePolicy }), 'InvalidParameterValue')
  })
})

import * as aws from '@aws-sdk/client-sqs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attributesOf,
  bodies,
  counts,
  hide,
  local,
  nameOf,
  now,
  onAws,
  one,
  pass,
  queue,
  queues,
  receive,
  refused,
  remove,
  send,
  sqs,
} from './queues-bench.ts'

describe('queues', () => {
  test('are created and deleted', async () => {
    const QueueUrl = await queue({ VisibilityTimeout: '60' })
    const QueueName = nameOf(QueueUrl)
    const create = (Attributes = {}) => sqs.send(new aws.CreateQueueCommand({ QueueName, Attributes }))
    expect((await create({ VisibilityTimeout: '60' })).QueueUrl).toBe(QueueUrl)
    expect((await create()).QueueUrl).toBe(QueueUrl)
    await refused(create({ VisibilityTimeout: '61' }), 'QueueNameExists')
    await sqs.send(new aws.DeleteQueueCommand({ QueueUrl }))
    if (!onAws) await refused(attributesOf(QueueUrl), 'QueueDoesNotExist')
  })
  test('return defaults and accept changes', async () => {
    const QueueUrl = await queue()
    const defaults = { VisibilityTimeout: '30', DelaySeconds: '0', MaximumMessageSize: '1048576' }
    expect(await attributesOf(QueueUrl)).toMatchObject({ ...defaults, MessageRetentionPeriod: '345600' })
    await sqs.send(new aws.SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '7' } }))
    if (!onAws) expect((await attributesOf(QueueUrl))['VisibilityTimeout']).toBe('7')
  })
  test.each([
    ['InvalidAttributeValue', { VisibilityTimeout: '43201' }],
    ['InvalidAttributeName', { Color: 'red' }],
    ['InvalidParameterValue', { RedrivePolicy: '{"maxReceiveCount":3}' }],
  ])('reject attributes: %s', async (name, attributes) => {
    await refused(queue(attributes), name)
  })
  test.skipIf(onAws)('reject an operation that is not supported', async () => {
    await refused(sqs.send(new aws.PurgeQueueCommand({ QueueUrl: await queue() })), 'InvalidAction')
  })
})

describe('sending', () => {
  test('keeps body, attributes and system attributes', async () => {
    const QueueUrl = await queue()
    const timestamp = { DataType: 'Number', StringValue: '1493147359900' }
    const bytes = { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2, 255]) }
    const sent = await send(QueueUrl, 'héllo ✓', { MessageAttributes: { timestamp }, MessageGroupId: 'x#ws1' })
    // The digest SQS gave for this very attribute, as recorded by other clients' tests.
    expect(sent.MD5OfMessageAttributes).toBe('235c5c510d26fb653d073faed50ae77c')
    const message = await one(QueueUrl, {
      MessageAttributeNames: ['time.*', 'timestamp'],
      MessageSystemAttributeNames: ['All'],
    })
    expect(message).toMatchObject({ Body: 'héllo ✓', MessageId: sent.MessageId, MessageAttributes: { timestamp } })
    expect(message.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes)
    expect(message.Attributes).toMatchObject({ ApproximateReceiveCount: '1', MessageGroupId: 'x#ws1' })
    for (const name of ['SentTimestamp', 'ApproximateFirstReceiveTimestamp'] as const) {
      const seconds = Number(message.Attributes?.[name]) / 1000
      expect(Math.abs(seconds - now() / 1000)).toBeLessThan(60)
    }
    await send(QueueUrl, 'binary', { MessageAttributes: { bytes, timestamp } })
    const named = await one(QueueUrl, { MessageAttributeNames: ['bytes'] })
    expect(named.MessageAttributes).toEqual({ bytes })
    expect(named.Attributes).toBeUndefined()
  })
  const big = 'x'.repeat(1_048_577)
  const text = { DataType: 'String', StringValue: 'v' }
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a${index}`, text]))
  test.each<[string, string, Partial<aws.SendMessageCommandInput>]>([
    ['MissingParameter', '', {}],
    ['InvalidMessageContents', 'bell \u0007', {}],
    ['InvalidParameterValue', big, {}],
    ['InvalidParameterValue', big.slice(6), { MessageAttributes: { a: text } }],
    ['InvalidParameterValue', 'x', { DelaySeconds: 901 }],
    ['InvalidParameterValue', 'x', { MessageDeduplicationId: 'd' }],
    ['InvalidParameterValue', 'x', { MessageGroupId: 'with space' }],
    ['InvalidParameterValue', 'x', { MessageAttributes: eleven }],
    ['InvalidParameterValue', 'x', { MessageAttributes: { 'AWS.x': text } }],
    ['InvalidParameterValue', 'x', { MessageAttributes: { a: { DataType: 'Number', StringValue: 'three' } } }],
  ])('rejects with %s (%#)', async (name, body, rest) => {
    await refused(send(await queue(), body, rest), name)
  })
  test('takes exactly 1 MiB', async () => {
    const QueueUrl = await queue()
    await send(QueueUrl, big.slice(1))
    expect((await one(QueueUrl)).Body).toHaveLength(1_048_576)
  })
  test('fails with QueueDoesNotExist for a missing queue', async () => {
    const error = await send(`${await queue()}-missing`, 'x').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(aws.QueueDoesNotExist)
  })
})

describe('batches', () => {
  const batch = (QueueUrl: string, Entries: aws.SendMessageBatchRequestEntry[]) =>
    sqs.send(new aws.SendMessageBatchCommand({ QueueUrl, Entries }))
  test('send each entry independently', async () => {
    const QueueUrl = await queue()
    const sent = await batch(QueueUrl, [
      { Id: 'a', MessageBody: 'a' },
      { Id: 'b', MessageBody: 'b', DelaySeconds: 901 },
    ])
    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a'])
    expect(sent.Failed).toMatchObject([{ Id: 'b', Code: 'InvalidParameterValue', SenderFault: true }])
    expect(await bodies(QueueUrl)).toEqual(['a'])
  })
  const entries = (count: number, body = 'x') =>
    Array.from({ length: count }, (_, index) => ({ Id: `e${index}`, MessageBody: body }))
  test.each([
    ['EmptyBatchRequest', []],
    ['TooManyEntriesInBatchRequest', entries(11)],
    ['BatchEntryIdsNotDistinct', [...entries(1), ...entries(1)]],
    ['InvalidBatchEntryId', [{ Id: 'a b', MessageBody: 'x' }]],
    ['BatchRequestTooLong', entries(2, 'x'.repeat(600_000))],
  ])('reject the whole batch: %s', async (name, list) => {
    await refused(batch(await queue(), list), name)
  })
})

describe('receiving', () => {
  test.each([
    { MaxNumberOfMessages: 11 },
    { WaitTimeSeconds: 21 },
    { VisibilityTimeout: 43_201 },
  ])('rejects %o', async (bad) => {
    await refused(receive(await queue(), bad), 'InvalidParameterValue')
  })
  test('hides a message and excludes it from the count of visible ones', async () => {
    const QueueUrl = await queue()
    await send(QueueUrl, 'x')
    await one(QueueUrl)
    expect(await receive(QueueUrl)).toEqual([])
    if (!onAws) expect(await counts(QueueUrl)).toEqual([0, 0, 1])
  })
  local('returns it again after the visibility timeout of the queue or of the receive', async () => {
    const QueueUrl = await queue({ VisibilityTimeout: '5' })
    await send(QueueUrl, 'x')
    await one(QueueUrl)
    expect(queues().nextDueAt()).toBe(now() + 5000)
    pass(4)
    expect(await receive(QueueUrl)).toEqual([])
    pass(1)
    const second = await one(QueueUrl, { VisibilityTimeout: 2, MessageSystemAttributeNames: ['All'] })
    expect(second.Attributes).toMatchObject({
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: String(now() - 5000),
    })
    pass(2)
    expect(await bodies(QueueUrl)).toEqual(['x'])
  })
  local('respects the delay of the queue or the message', async () => {
    const QueueUrl = await queue({ DelaySeconds: '10' })
    await send(QueueUrl, 'of the queue')
    await send(QueueUrl, 'its own', { DelaySeconds: 3 })
    expect(await counts(QueueUrl)).toEqual([0, 2, 0])
    pass(3)
    expect(await bodies(QueueUrl)).toEqual(['its own'])
    pass(7)
    expect(await bodies(QueueUrl)).toEqual(['of the queue'])
  })
  local('deletes messages after the retention period', async () => {
    const QueueUrl = await queue({ MessageRetentionPeriod: '60' })
    await send(QueueUrl, 'x')
    pass(60)
    expect(await receive(QueueUrl)).toEqual([])
  })
  test('deleting twice, and with an old handle, succeeds', async () => {
    const QueueUrl = await queue()
    await send(QueueUrl, 'x')
    const first = await one(QueueUrl, { VisibilityTimeout: 0 })
    const second = await one(QueueUrl)
    await remove(QueueUrl, first.ReceiptHandle)
    if (!onAws) expect(await counts(QueueUrl)).toEqual([0, 0, 1])
    await remove(QueueUrl, second.ReceiptHandle)
    await remove(QueueUrl, second.ReceiptHandle)
    await refused(remove(QueueUrl, 'nonsense'), 'ReceiptHandleIsInvalid')
    await refused(hide(QueueUrl, second.ReceiptHandle, 5), 'InvalidParameterValue')
  })
  local('visibility changes from now, up to twelve hours, and only in flight', async () => {
    const QueueUrl = await queue()
    await send(QueueUrl, 'x')
    const { ReceiptHandle } = await one(QueueUrl)
    pass(20)
    await hide(QueueUrl, ReceiptHandle, 20)
    pass(15)
    expect(await receive(QueueUrl)).toEqual([])
    await refused(hide(QueueUrl, ReceiptHandle, 43_200 - 34), 'InvalidParameterValue')
    await hide(QueueUrl, ReceiptHandle, 0)
    await refused(hide(QueueUrl, ReceiptHandle, 5), 'MessageNotInflight')
    expect(await bodies(QueueUrl)).toEqual(['x'])
  })
  local('a quiet message group is not starved by a noisy one', async () => {
    const QueueUrl = await queue()
    for (let index = 0; index < 20; index++) await send(QueueUrl, 'noisy', { MessageGroupId: 'a' })
    await send(QueueUrl, 'quiet', { MessageGroupId: 'b' })
    const first = await one(QueueUrl)
    await remove(QueueUrl, first.ReceiptHandle)
    expect((await one(QueueUrl)).Body).toBe('quiet')
    expect(await receive(QueueUrl)).toHaveLength(10)
    await send(QueueUrl, 'late', { MessageGroupId: 'c' })
    expect(await bodies(QueueUrl, { MaxNumberOfMessages: 1 })).toEqual(['late'])
  })
  local('every message is counted once at any time', async () => {
    const step = fc.tuple(fc.constantFrom('send', 'delay', 'receive', 'delete', 'show', 'pass'), fc.nat({ max: 9 }))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const QueueUrl = await queue({ VisibilityTimeout: '5' })
        const handles: string[] = []
        let alive = 0
        for (const [action, number] of steps) {
          if (action === 'send' || action === 'delay') {
            await send(QueueUrl, 'x', { DelaySeconds: action === 'delay' ? number : 0 })
            alive += 1
          } else if (action === 'pass') pass(number)
          else if (action === 'receive') {
            for (const message of await receive(QueueUrl, { VisibilityTimeout: 300 }))
              handles.push(message.ReceiptHandle ?? '')
          } else {
            const handle = handles.splice(number % Math.max(1, handles.length), 1)[0]
            if (handle && action === 'show') await hide(QueueUrl, handle, 0)
            if (handle && action === 'delete') {
              await remove(QueueUrl, handle)
              alive -= 1
            }
          }
          const [visible, delayed, inFlight] = await counts(QueueUrl)
          expect([(visible ?? 0) + (delayed ?? 0) + (inFlight ?? 0), inFlight]).toEqual([alive, handles.length])
        }
      }),
      { numRuns: 12 },
    )
  })
})

import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { accountId, type Broker, findQueue } from './broker.ts'
import { md5, md5OfAttributes } from './checksums.ts'
import type { Message, MessageAttribute } from './message.ts'
import { operation } from './operation.ts'
import { choose } from './order.ts'
import { nextVisibleAt, numberOf, type Queue } from './queue.ts'
import { makeReceipt } from './receipts.ts'
import { sortOut } from './redrive-policy.ts'
import { refuseValue } from './refusal.ts'
import { formatSequence } from './send.ts'

const Names = z.optional(z.array(z.string()))
const Input = z.object({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.optional(z.number()),
  VisibilityTimeout: z.optional(z.number()),
  WaitTimeSeconds: z.optional(z.number()),
  AttributeNames: Names,
  MessageSystemAttributeNames: Names,
  MessageAttributeNames: Names,
})

/** A message as ReceiveMessage returns it. */
export interface Received {
  MessageId: string
  ReceiptHandle: string
  Body: string
  MD5OfBody: string
  Attributes?: Record<string, string> | undefined
  MessageAttributes?: Record<string, MessageAttribute> | undefined
  MD5OfMessageAttributes?: string | undefined
}

/** Takes messages, immediately or as soon as there are any within the wait. */
export async function receive(broker: Broker, input: z.infer<typeof Input>, gone: AbortSignal): Promise<Received[]> {
  const queue = findQueue(broker, input.QueueUrl)
  const max = between('MaxNumberOfMessages', input.MaxNumberOfMessages ?? 1, 1, 10)
  const waitSeconds = between(
    'WaitTimeSeconds',
    input.WaitTimeSeconds ?? numberOf(queue, 'ReceiveMessageWaitTimeSeconds'),
    0,
    20,
  )
  const hideSeconds = between(
    'VisibilityTimeout',
    input.VisibilityTimeout ?? numberOf(queue, 'VisibilityTimeout'),
    0,
    43_200,
  )
  const received = await broker.polls.wait({
    queueName: queue.name,
    until: broker.now() + waitSeconds * 1000,
    gone,
    take: () => take(broker, findQueue(broker, queue.name), max, hideSeconds),
    nextDueAt: () => nextVisibleAt(findQueue(broker, queue.name), broker.now()),
  })
  const systemNames = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])]
  return received.map((message) => present(message, systemNames, input.MessageAttributeNames ?? []))
}

export const receiveMessage = operation(Input, async (broker, input, gone) => {
  const Messages = await receive(broker, input, gone)
  return Messages.length === 0 ? {} : { Messages }
})

function between(parameter: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw refuseValue(parameter, value, `Must be between ${min} and ${max}, if provided.`)
}

function take(broker: Broker, queue: Queue, max: number, hideSeconds: number): Message[] {
  sortOut(broker, queue)
  const now = broker.now()
  const taken = choose(queue, now, max, broker.faults.reorder).map((message) => ({
    ...message,
    receiveCount: message.receiveCount + 1,
    firstReceivedAt: message.firstReceivedAt ?? now,
    receivedAt: now,
    visibleAt: now + hideSeconds * 1000,
    receipt: makeReceipt(queue.name, message.sequence, randomUUID()),
  }))
  for (const message of taken) queue.messages.set(message.sequence, message)
  if (taken.length > 0) broker.changed(queue)
  return taken
}

function present(message: Message, systemNames: readonly string[], names: readonly string[]): Received {
  const requested = Object.entries(message.attributes).filter(([name]) =>
    names.some((pattern) => matches(pattern, name)),
  )
  const system = Object.entries(systemAttributesOf(message)).flatMap(([name, value]) =>
    value !== undefined && (systemNames.includes('All') || systemNames.includes(name)) ? [[name, value] as const] : [],
  )
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt ?? '',
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: system.length > 0 ? Object.fromEntries(system) : undefined,
    MessageAttributes: requested.length > 0 ? Object.fromEntries(requested) : undefined,
    MD5OfMessageAttributes: md5OfAttributes(Object.fromEntries(requested)),
  }
}

/** `All`, `.*`, a name, or a prefix followed by `.*`. */
function matches(pattern: string, name: string): boolean {
  if (pattern === 'All' || pattern === '.*') return true
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

function systemAttributesOf(message: Message): Record<string, string | undefined> {
  return {
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ApproximateReceiveCount: String(message.receiveCount),
    AWSTraceHeader: message.traceHeader,
    DeadLetterQueueSourceArn: message.deadLetterSource,
    MessageDeduplicationId: message.deduplicationId,
    MessageGroupId: message.groupId,
    SenderId: accountId,
    SentTimestamp: String(message.sentAt),
    SequenceNumber: message.deduplicationId === undefined ? undefined : formatSequence(message.sequence),
  }
}

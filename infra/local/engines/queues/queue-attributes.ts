import { arnOf, type Broker } from './broker.ts'
import { stateOf } from './message.ts'
import type { Queue } from './queue.ts'
import { normalizeRedrivePolicy } from './redrive-policy.ts'
import { QueueRefusal, refuseValue } from './refusal.ts'

// Ranges as in the API reference of SetQueueAttributes, read 2026-11-21.
const ranges: Record<string, readonly [min: number, max: number]> = {
  DelaySeconds: [0, 900],
  KmsDataKeyReusePeriodSeconds: [60, 86_400],
  MaximumMessageSize: [1_024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  VisibilityTimeout: [0, 43_200],
}
const choices: Record<string, readonly string[]> = {
  ContentBasedDeduplication: ['true', 'false'],
  DeduplicationScope: ['messageGroup', 'queue'],
  FifoQueue: ['true'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
  SqsManagedSseEnabled: ['true', 'false'],
}
const fifoOnly = ['ContentBasedDeduplication', 'DeduplicationScope', 'FifoQueue', 'FifoThroughputLimit']
const texts = ['KmsMasterKeyId', 'Policy', 'RedriveAllowPolicy']

const defaults = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  SqsManagedSseEnabled: 'true',
  VisibilityTimeout: '30',
}
const fifoDefaults = {
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  FifoThroughputLimit: 'perQueue',
}

export function defaultsFor(fifo: boolean): Record<string, string> {
  return fifo ? { ...defaults, ...fifoDefaults } : defaults
}

/** Checks attributes for a queue of this kind and writes them as SQS returns them. */
export function checkAttributes(broker: Broker, given: Record<string, string>, fifo: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, checkAttribute(broker, name, value, fifo)]),
  )
}

function checkAttribute(broker: Broker, name: string, value: string, fifo: boolean): string {
  if (fifoOnly.includes(name) && !fifo) throw new QueueRefusal('InvalidAttributeName', `Unknown Attribute ${name}.`)
  if (name === 'RedrivePolicy') return value === '' ? '' : normalizeRedrivePolicy(broker, value, fifo)
  if (texts.includes(name)) return value
  const range = ranges[name]
  if (range && /^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1])
    return String(Number(value))
  if (choices[name]?.includes(value)) return value
  if (range || choices[name])
    throw new QueueRefusal('InvalidAttributeValue', `Invalid value for the parameter ${name}.`)
  throw new QueueRefusal('InvalidAttributeName', `Unknown Attribute ${name}.`)
}

/** Everything that GetQueueAttributes can return about a queue. */
export function attributesOf(queue: Queue, now: number): Record<string, string> {
  const count = { visible: 0, delayed: 0, inFlight: 0 }
  for (const message of queue.messages.values()) count[stateOf(message, now)] += 1
  const stored = Object.entries(queue.attributes).filter(([, value]) => value !== '')
  return {
    ...Object.fromEntries(stored),
    QueueArn: arnOf(queue),
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
    ApproximateNumberOfMessages: String(count.visible),
    ApproximateNumberOfMessagesDelayed: String(count.delayed),
    ApproximateNumberOfMessagesNotVisible: String(count.inFlight),
  }
}

// Names that may be requested although this queue has no value for them.
const known = [...Object.keys(ranges), ...Object.keys(choices), ...texts, 'RedrivePolicy']

export function selectAttributes(all: Record<string, string>, names: readonly string[]): Record<string, string> {
  if (names.includes('All')) return all
  for (const name of names) {
    if (!(name in all) && !known.includes(name))
      throw new QueueRefusal('InvalidAttributeName', `Unknown Attribute ${name}.`)
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

export function checkQueueName(name: string, fifo: boolean): void {
  if (
    !/^[\w-]{1,80}$/.test(fifo ? name.replace(/\.fifo$/, '') : name) ||
    name.length > 80 ||
    name.endsWith('.fifo') !== fifo
  ) {
    throw refuseValue(
      'QueueName',
      name,
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length; the name of a FIFO queue, and of no other, ends with .fifo',
    )
  }
}

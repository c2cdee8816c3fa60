import * as z from 'zod/mini'
import { arnOf, type Broker, findQueue } from './broker.ts'
import type { Message } from './message.ts'
import { isFifo, numberOf, type Queue } from './queue.ts'
import { refuseValue } from './refusal.ts'

const RedrivePolicy = z.object({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)),
})

/** Checks a redrive policy and writes it as SQS returns it. */
export function normalizeRedrivePolicy(broker: Broker, text: string, fifo: boolean): string {
  const policy = z.safeParse(RedrivePolicy, parseJson(text))
  if (!policy.success)
    throw refuseValue('RedrivePolicy', text, 'It needs deadLetterTargetArn and maxReceiveCount 1 to 1000.')
  const target = broker.queues.get(policy.data.deadLetterTargetArn.split(':').at(-1) ?? '')
  if (!target) throw refuseValue('RedrivePolicy', text, 'Dead letter target does not exist.')
  if (isFifo(target) !== fifo)
    throw refuseValue('RedrivePolicy', text, 'Dead-letter queue must be same type of queue as the source.')
  return JSON.stringify(policy.data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Policies by their text: every receive looks up that of its queue. */
const policies = new Map<string, z.infer<typeof RedrivePolicy>>()

export function redrivePolicyOf(queue: Queue): z.infer<typeof RedrivePolicy> | undefined {
  const text = queue.attributes['RedrivePolicy']
  if (!text) return undefined
  const known = policies.get(text) ?? z.parse(RedrivePolicy, JSON.parse(text))
  policies.set(text, known)
  return known
}

/**
 * Before a receive: drops messages past their retention, and moves messages that were received too often to the dead-letter
 * queue.
 */
export function sortOut(broker: Broker, queue: Queue): void {
  const now = broker.now()
  const oldest = now - numberOf(queue, 'MessageRetentionPeriod') * 1000
  const policy = redrivePolicyOf(queue)
  for (const message of queue.messages.values()) {
    if (message.sentAt <= oldest) queue.messages.delete(message.sequence)
    else if (policy && message.visibleAt <= now && message.receiveCount >= policy.maxReceiveCount) {
      moveToDeadLetters(broker, queue, message, policy.deadLetterTargetArn)
    }
  }
}

function moveToDeadLetters(broker: Broker, queue: Queue, message: Message, targetArn: string): void {
  const target = findQueue(broker, targetArn)
  const { receipt: _receipt, ...rest } = message
  queue.messages.delete(message.sequence)
  // The enqueue time stays in standard queues and starts again in FIFO queues (SQS guide, dead-letter queue retention).
  const sentAt = isFifo(queue) ? broker.now() : message.sentAt
  append(target, { ...rest, sentAt, deadLetterSource: arnOf(queue) })
  broker.changed(target)
}

/** Puts a message at the end of a queue, under the queue's next sequence number. */
export function append(queue: Queue, message: Omit<Message, 'sequence'>): number {
  const sequence = queue.nextSequence++
  queue.messages.set(sequence, { ...message, sequence })
  return sequence
}

import { createHash, randomUUID } from 'node:crypto'
import type { Broker } from './broker.ts'
import { md5, md5OfAttributes } from './checksums.ts'
import { type Message, peekAt } from './message.ts'
import { checkOutgoing, type Outgoing } from './message-rules.ts'
import { isFifo, numberOf, type Queue } from './queue.ts'
import { append } from './redrive-policy.ts'
import { refuseValue } from './refusal.ts'

const deduplicationMs = 5 * 60_000

/** Adds one message to a queue and responds like SendMessage. */
export function send(broker: Broker, queue: Queue, outgoing: Outgoing): object {
  checkOutgoing(queue, outgoing)
  const sent = isFifo(queue) ? sendOnce(broker, queue, outgoing) : { id: store(broker, queue, outgoing, undefined).id }
  return {
    MessageId: sent.id,
    MD5OfMessageBody: md5(outgoing.MessageBody),
    MD5OfMessageAttributes: md5OfAttributes(outgoing.MessageAttributes ?? {}),
    MD5OfMessageSystemAttributes: md5OfAttributes(outgoing.MessageSystemAttributes ?? {}),
    SequenceNumber: 'sequence' in sent ? formatSequence(sent.sequence) : undefined,
  }
}

export function formatSequence(sequence: number): string {
  return String(sequence).padStart(20, '0')
}

/** A repeat within five minutes gets the response of the first message and is not stored again. */
function sendOnce(broker: Broker, queue: Queue, outgoing: Outgoing): { id: string; sequence: number } {
  const now = broker.now()
  const deduplicationId = outgoing.MessageDeduplicationId ?? contentId(queue, outgoing.MessageBody)
  const scope = queue.attributes['DeduplicationScope'] === 'messageGroup' ? outgoing.MessageGroupId : ''
  const key = `${scope} ${deduplicationId}`
  for (const [old, { at }] of queue.firstSendings) if (at + deduplicationMs <= now) queue.firstSendings.delete(old)
  const first = queue.firstSendings.get(key)
  if (first) return first
  const sent = { ...store(broker, queue, outgoing, deduplicationId), at: now }
  queue.firstSendings.set(key, sent)
  return sent
}

function contentId(queue: Queue, body: string): string {
  if (queue.attributes['ContentBasedDeduplication'] === 'true') return createHash('sha256').update(body).digest('hex')
  throw refuseValue(
    'MessageDeduplicationId',
    undefined,
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  )
}

function store(
  broker: Broker,
  queue: Queue,
  outgoing: Outgoing,
  deduplicationId: string | undefined,
): { id: string; sequence: number } {
  const now = broker.now()
  const message: Omit<Message, 'sequence'> = {
    id: randomUUID(),
    body: outgoing.MessageBody,
    attributes: outgoing.MessageAttributes ?? {},
    traceHeader: outgoing.MessageSystemAttributes?.['AWSTraceHeader']?.StringValue,
    groupId: outgoing.MessageGroupId,
    deduplicationId,
    sentAt: now,
    visibleAt: now + (outgoing.DelaySeconds ?? numberOf(queue, 'DelaySeconds')) * 1000,
    receiveCount: 0,
  }
  const sequence = queue.nextSequence
  const fate = broker.faults.onSend?.(peekAt({ ...message, sequence }, queue.name, now)) ?? 'keep'
  if (fate === 'lose') queue.nextSequence += 1
  else append(queue, typeof fate === 'object' ? { ...message, visibleAt: now + fate.delaySeconds * 1000 } : message)
  if (fate === 'double') append(queue, message)
  return { id: message.id, sequence }
}

import type { Broker } from './broker.ts'
import { type Message, stateOf } from './message.ts'
import { isFifo, type Queue } from './queue.ts'
import { QueueRefusal, refuseValue } from './refusal.ts'

const maxHiddenSeconds = 43_200

export function makeReceipt(queueName: string, sequence: number, nonce: string): string {
  return Buffer.from(`${queueName} ${sequence} ${nonce}`).toString('base64')
}

/** The message a handle was given for; undefined when it is gone. */
function findByReceipt(queue: Queue, receipt: string): Message | undefined {
  const [queueName, sequence, nonce] = Buffer.from(receipt, 'base64').toString().split(' ')
  if (queueName !== queue.name || !sequence || !nonce) {
    throw new QueueRefusal(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${receipt}" is not a valid receipt handle.`,
    )
  }
  return queue.messages.get(Number(sequence))
}

/** Deletes the message of the latest receive; an older handle is accepted and does nothing, as in SQS. */
export function deleteByReceipt(broker: Broker, queue: Queue, receipt: string): void {
  const message = findByReceipt(queue, receipt)
  if (!message) return
  const expired = message.receipt !== receipt || stateOf(message, broker.now()) !== 'inFlight'
  if (isFifo(queue) && expired) throw refuseValue('ReceiptHandle', receipt, 'The receipt handle has expired.')
  if (message.receipt === receipt) queue.messages.delete(message.sequence)
}

/** Hides the message for so many seconds from now; 0 makes it visible immediately. */
export function hideByReceipt(broker: Broker, queue: Queue, receipt: string, hideSeconds: number): void {
  const now = broker.now()
  const message = findByReceipt(queue, receipt)
  const inFlightSeconds = (now - (message?.receivedAt ?? now)) / 1000
  if (!Number.isInteger(hideSeconds) || hideSeconds < 0 || inFlightSeconds + hideSeconds > maxHiddenSeconds) {
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${maxHiddenSeconds} seconds]`
    throw refuseValue('VisibilityTimeout', hideSeconds, reason)
  }
  if (!message) {
    throw refuseValue(
      'ReceiptHandle',
      receipt,
      'Message does not exist or is not available for visibility timeout change.',
    )
  }
  if (message.receipt !== receipt || stateOf(message, now) !== 'inFlight') {
    throw new QueueRefusal('MessageNotInflight', 'The specified message is not in flight.')
  }
  queue.messages.set(message.sequence, { ...message, visibleAt: now + hideSeconds * 1000 })
}

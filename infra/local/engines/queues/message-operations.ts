import * as z from 'zod/mini'
import { runBatch } from './batch.ts'
import { findQueue } from './broker.ts'
import { bytesOf, outgoingFields } from './message-rules.ts'
import { operation } from './operation.ts'
import { deleteByReceipt, hideByReceipt } from './receipts.ts'
import { QueueRefusal } from './refusal.ts'
import { send } from './send.ts'

const url = { QueueUrl: z.string() }
const receipt = { ReceiptHandle: z.string() }
const hide = { ...receipt, VisibilityTimeout: z.number() }
const id = { Id: z.string() }
const maxBatchBytes = 1_048_576

export const sendMessage = operation(z.object({ ...url, ...outgoingFields }), (broker, input) => {
  const queue = findQueue(broker, input.QueueUrl)
  const sent = send(broker, queue, input)
  broker.changed(queue)
  return sent
})

const Entries = z.array(z.object({ ...id, ...outgoingFields }))

export const sendMessageBatch = operation(z.object({ ...url, Entries }), (broker, input) => {
  const queue = findQueue(broker, input.QueueUrl)
  const bytes = input.Entries.reduce((sum, entry) => sum + bytesOf(entry), 0)
  if (bytes > maxBatchBytes) {
    throw new QueueRefusal(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${maxBatchBytes} bytes. You have sent ${bytes} bytes.`,
    )
  }
  const sent = runBatch(input.Entries, (entry) => send(broker, queue, entry))
  broker.changed(queue)
  return sent
})

export const deleteMessage = operation(z.object({ ...url, ...receipt }), (broker, input) => {
  const queue = findQueue(broker, input.QueueUrl)
  deleteByReceipt(broker, queue, input.ReceiptHandle)
  broker.changed(queue)
  return {}
})

export const changeMessageVisibility = operation(z.object({ ...url, ...hide }), (broker, input) => {
  const queue = findQueue(broker, input.QueueUrl)
  hideByReceipt(broker, queue, input.ReceiptHandle, input.VisibilityTimeout)
  broker.changed(queue)
  return {}
})

import * as z from 'zod/mini'
import { MessageAttribute } from './message.ts'
import { isFifo, numberOf, type Queue } from './queue.ts'
import { QueueRefusal, refuseMissing, refuseValue } from './refusal.ts'

const Attributes = z.optional(z.record(z.string(), MessageAttribute))

/** What SendMessage and the entries of SendMessageBatch share. */
export const outgoingFields = {
  MessageBody: z.string(),
  DelaySeconds: z.optional(z.number()),
  MessageAttributes: Attributes,
  MessageSystemAttributes: Attributes,
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
}
const Outgoing = z.object(outgoingFields)
export type Outgoing = z.infer<typeof Outgoing>

// Characters as in the API reference of SendMessage, read 2026-11-21: XML 1.0 without lone surrogates.
const forbiddenCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const idPattern = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/
const wrongType = 'The request include parameter that is not valid for this queue type'
const maxAttributes = 10

/** Rejects an invalid message. */
export function checkOutgoing(queue: Queue, message: Outgoing): void {
  if (message.MessageBody === '') throw refuseMissing('MessageBody')
  if (forbiddenCharacter.test(message.MessageBody)) {
    throw new QueueRefusal('InvalidMessageContents', 'The message contains characters outside the allowed set.')
  }
  checkAttributes(message.MessageAttributes ?? {})
  const maxBytes = numberOf(queue, 'MaximumMessageSize')
  if (bytesOf(message) > maxBytes) {
    const reason = `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`
    throw new QueueRefusal('InvalidParameterValueException', reason)
  }
  checkDelay(queue, message.DelaySeconds)
  checkIds(queue, message)
}

function checkDelay(queue: Queue, delaySeconds: number | undefined): void {
  if (delaySeconds === undefined) return
  if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > 900) {
    throw refuseValue('DelaySeconds', delaySeconds, 'DelaySeconds must be >= 0 and <= 900.')
  }
  if (isFifo(queue) && delaySeconds > 0) throw refuseValue('DelaySeconds', delaySeconds, wrongType)
}

function checkIds(queue: Queue, { MessageGroupId, MessageDeduplicationId }: Outgoing): void {
  if (MessageGroupId === undefined && isFifo(queue)) throw refuseMissing('MessageGroupId')
  if (MessageDeduplicationId !== undefined && !isFifo(queue)) {
    throw refuseValue('MessageDeduplicationId', MessageDeduplicationId, wrongType)
  }
  for (const [name, value] of Object.entries({ MessageGroupId, MessageDeduplicationId })) {
    if (value === undefined || idPattern.test(value)) continue
    throw refuseValue(
      name,
      value,
      `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length`,
    )
  }
}

function checkAttributes(attributes: Record<string, MessageAttribute>): void {
  const names = Object.keys(attributes)
  if (names.length > maxAttributes) {
    throw new QueueRefusal(
      'InvalidParameterValueException',
      `Number of message attributes [${names.length}] exceeds the allowed maximum [${maxAttributes}].`,
    )
  }
  for (const name of names) {
    const attribute = attributes[name]
    if (!/^(?!aws\.|amazon\.|\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i.test(name))
      throw refuseValue('MessageAttributes', name, 'Invalid attribute name.')
    if (!attribute || !/^(String|Number|Binary)(\..+)?$/.test(attribute.DataType)) {
      throw refuseValue('MessageAttributes', name, 'The type must be String, Number or Binary, with an optional label.')
    }
    const value = attribute.DataType.startsWith('Binary') ? attribute.BinaryValue : attribute.StringValue
    if (!value)
      throw refuseValue('MessageAttributes', name, 'It must have a value that fits its type and is not empty.')
    if (attribute.DataType.startsWith('Number') && Number.isNaN(Number(value)))
      throw refuseValue('MessageAttributes', name, 'Not a number.')
  }
}

/** The size that counts against the limits: the body and the names, types and values of attributes. */
export function bytesOf({ MessageBody, MessageAttributes = {} }: Outgoing): number {
  const attributes = Object.entries(MessageAttributes).map(
    ([name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      Buffer.byteLength(BinaryValue, 'base64'),
  )
  return attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody))
}

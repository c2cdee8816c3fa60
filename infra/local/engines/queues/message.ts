import * as z from 'zod/mini'

/** One message attribute as on the wire; binary values stay base64. */
export const MessageAttribute = z.object({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
})
export type MessageAttribute = z.infer<typeof MessageAttribute>

/** A message as its queue keeps it; times in milliseconds. */
export const Message = z.object({
  sequence: z.number(),
  id: z.string(),
  body: z.string(),
  attributes: z.record(z.string(), MessageAttribute),
  traceHeader: z.optional(z.string()),
  groupId: z.optional(z.string()),
  deduplicationId: z.optional(z.string()),
  sentAt: z.number(),
  visibleAt: z.number(),
  receiveCount: z.number(),
  firstReceivedAt: z.optional(z.number()),
  receivedAt: z.optional(z.number()),
  /** The handle of the latest receive; older handles no longer count. */
  receipt: z.optional(z.string()),
  /** The queue from which it was dead-lettered. */
  deadLetterSource: z.optional(z.string()),
})
export type Message = z.infer<typeof Message>

export type MessageState = 'visible' | 'delayed' | 'inFlight'

export function stateOf(message: Message, now: number): MessageState {
  if (message.visibleAt <= now) return 'visible'
  return message.receipt === undefined ? 'delayed' : 'inFlight'
}

/** A message as tests see it, without being counted as a receive. */
export interface PeekedMessage {
  queueName: string
  id: string
  body: string
  groupId: string | undefined
  attributes: Readonly<Record<string, MessageAttribute>>
  state: MessageState
  sentAt: number
  visibleAt: number
  receiveCount: number
}

export function peekAt(message: Message, queueName: string, now: number): PeekedMessage {
  const { id, body, groupId, attributes, sentAt, visibleAt, receiveCount } = message
  return { queueName, id, body, groupId, attributes, state: stateOf(message, now), sentAt, visibleAt, receiveCount }
}

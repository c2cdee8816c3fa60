import * as z from 'zod/mini'
import { Message } from './message.ts'

/** The first sending of a deduplication id: what a repeat within five minutes is answered with. */
const FirstSending = z.object({ id: z.string(), sequence: z.number(), at: z.number() })

const StoredQueue = z.object({
  name: z.string(),
  createdAt: z.number(),
  modifiedAt: z.number(),
  attributes: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
  nextSequence: z.number(),
  messages: z.array(Message),
  firstSendings: z.array(z.tuple([z.string(), FirstSending])),
})

/** The content of queues.json. */
export const StoredQueues = z.object({ queues: z.array(StoredQueue) })

/** A queue in memory: messages in the order sent, by sequence number. */
export interface Queue extends Omit<z.infer<typeof StoredQueue>, 'messages' | 'firstSendings'> {
  messages: Map<number, Message>
  firstSendings: Map<string, z.infer<typeof FirstSending>>
  /** When a message group was last served, in turns; only for the fair order. */
  served: Map<string, number>
  turn: number
}

export function newQueue(name: string, attributes: Record<string, string>, now: number): Queue {
  return {
    name,
    createdAt: now,
    modifiedAt: now,
    attributes,
    tags: {},
    nextSequence: 1,
    messages: new Map(),
    firstSendings: new Map(),
    served: new Map(),
    turn: 0,
  }
}

export function isFifo(queue: Queue): boolean {
  return queue.attributes['FifoQueue'] === 'true'
}

export function numberOf(queue: Queue, attribute: string): number {
  return Number(queue.attributes[attribute])
}

/** When the next hidden message of a queue becomes visible. */
export function nextVisibleAt(queue: Queue, now: number): number | undefined {
  let next: number | undefined
  for (const { visibleAt } of queue.messages.values()) {
    if (visibleAt > now && (next === undefined || visibleAt < next)) next = visibleAt
  }
  return next
}

export function dumpQueues(queues: Iterable<Queue>): z.infer<typeof StoredQueues> {
  return {
    queues: [...queues].map(({ served: _served, turn: _turn, ...queue }) => ({
      ...queue,
      messages: [...queue.messages.values()],
      firstSendings: [...queue.firstSendings],
    })),
  }
}

export function restoreQueues(stored: z.infer<typeof StoredQueues> | undefined): Map<string, Queue> {
  return new Map(
    stored?.queues.map((queue) => [
      queue.name,
      {
        ...queue,
        messages: new Map(queue.messages.map((message) => [message.sequence, message])),
        firstSendings: new Map(queue.firstSendings),
        served: new Map(),
        turn: 0,
      },
    ]),
  )
}

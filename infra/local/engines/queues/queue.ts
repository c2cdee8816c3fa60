import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { openRows } from '../stored-rows.ts'
import { Message } from './message.ts'

/** The first message with a deduplication ID, which is the response to a repeat within five minutes. */
const FirstSending = z.object({ id: z.string(), sequence: z.number(), at: z.number() })

/** What is stored of a queue itself. */
const Description = z.object({
  name: z.string(),
  createdAt: z.number(),
  modifiedAt: z.number(),
  attributes: z.record(z.string(), z.string()),
  nextSequence: z.number(),
})
type Description = z.infer<typeof Description>

/** A queue: its messages in the order sent, by sequence number. A message is replaced, never mutated. */
export interface Queue extends Description {
  messages: Map<number, Message>
  firstSendings: Map<string, z.infer<typeof FirstSending>>
  /** When a message group was last served, in turns; only for the fair order. */
  served: Map<string, number>
  turn: number
}

/** All queues, by name. */
export interface QueueStore {
  readonly all: Map<string, Queue>
  /** Creates a queue, or an empty one that replaces a deleted one. */
  make(name: string, attributes: Record<string, string>, now: number): Queue
  /** Writes all that changed; when it returns, it is on disk. */
  save(queue: Queue): void
  close(): void
}

/** Opens the queues of a file; without one they are lost with the process. */
export function openQueues(file: string | undefined, isDurable = false): QueueStore {
  const rows = openRows(file, isDurable)
  const descriptions = rows.map<string, typeof Description>('queues', Description)
  const open = (description: Description): Queue => ({
    ...description,
    messages: rows.map(`messages of ${description.name}`, Message),
    firstSendings: rows.map(`first sendings of ${description.name}`, FirstSending),
    served: new Map(),
    turn: 0,
  })
  const all = new Map([...descriptions].map(([name, description]) => [name, open(description)]))
  return {
    all,
    make(name, attributes, now) {
      const queue = open({ name, createdAt: now, modifiedAt: now, attributes, nextSequence: 1 })
      all.set(name, queue)
      return queue
    },
    save(queue) {
      const description = z.parse(Description, queue)
      if (all.get(queue.name) !== queue) descriptions.delete(queue.name)
      else if (!isDeepStrictEqual(descriptions.get(queue.name), description)) {
        descriptions.set(queue.name, description)
      }
      rows.save()
    },
    close: () => rows.close(),
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

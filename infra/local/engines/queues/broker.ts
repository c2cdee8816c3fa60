import type { LongPolls } from './long-polls.ts'
import type { Message, PeekedMessage } from './message.ts'
import type { Queue } from './queue.ts'
import { QueueRefusal } from './refusal.ts'

/** What tests may do to messages; assign or remove a hook at any time. */
export interface QueueFaults {
  /** Decides what happens to a message that was acknowledged to its sender. */
  onSend?: ((message: PeekedMessage) => 'keep' | 'lose' | 'double' | { delaySeconds: number }) | undefined
  /** Puts the visible messages of a standard queue into the order in which they are received. */
  reorder?: ((messages: readonly Message[]) => readonly Message[]) | undefined
}

/** A finished move; here every move finishes within its request. */
export interface MoveTask {
  TaskHandle: string
  Status: 'COMPLETED' | 'FAILED'
  SourceArn: string
  DestinationArn: string | undefined
  ApproximateNumberOfMessagesMoved: number
  ApproximateNumberOfMessagesToMove: number
  FailureReason: string | undefined
  StartedTimestamp: number
}

/** The shared state of all SQS operations. */
export interface Broker {
  readonly now: () => number
  readonly queues: Map<string, Queue>
  readonly faults: QueueFaults
  readonly polls: LongPolls
  readonly moveTasks: MoveTask[]
  readonly queueUrl: (name: string) => string
  readonly makeQueue: (name: string, attributes: Record<string, string>) => Queue
  /** To be called after every change of a queue: it is on disk when this returns, and who waits for it looks again. */
  readonly changed: (queue: Queue) => void
}

const region = 'us-east-1'
export const accountId = '000000000000'

export function arnOf(queue: Queue): string {
  return `arn:aws:sqs:${region}:${accountId}:${queue.name}`
}

/** Finds a queue by its name, URL or ARN: only the last part counts, so a URL of an earlier port still works. */
export function findQueue(broker: Broker, reference: string): Queue {
  const queue = broker.queues.get(reference) ?? broker.queues.get(reference.split(/[/:]/).at(-1) ?? '')
  if (!queue) throw new QueueRefusal('QueueDoesNotExist', 'The specified queue does not exist.')
  return queue
}

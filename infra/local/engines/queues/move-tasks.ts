import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { arnOf, type Broker, findQueue, type MoveTask } from './broker.ts'
import { operation } from './operation.ts'
import type { Queue } from './queue.ts'
import { append, redrivePolicyOf } from './redrive-policy.ts'
import { QueueRefusal, refuseValue } from './refusal.ts'

export const startMessageMoveTask = operation(
  z.object({ SourceArn: z.string(), DestinationArn: z.optional(z.string()) }),
  (broker, { SourceArn, DestinationArn }) => {
    const source = findByArn(broker, SourceArn)
    const arn = arnOf(source)
    const isDeadLetterQueue = [...broker.queues.values()].some(
      (queue) => redrivePolicyOf(queue)?.deadLetterTargetArn.split(':').at(-1) === source.name,
    )
    if (!isDeadLetterQueue)
      throw refuseValue('SourceArn', arn, 'Source queue must be configured as a Dead Letter Queue.')
    const destination = DestinationArn === undefined ? undefined : findByArn(broker, DestinationArn)
    const task = move(broker, source, destination)
    broker.moveTasks.unshift(task)
    return { TaskHandle: task.TaskHandle }
  },
)

export const listMessageMoveTasks = operation(
  z.object({ SourceArn: z.string(), MaxResults: z.optional(z.number()) }),
  (broker, { SourceArn, MaxResults = 1 }) => {
    const arn = arnOf(findByArn(broker, SourceArn))
    return { Results: broker.moveTasks.filter((task) => task.SourceArn === arn).slice(0, MaxResults) }
  },
)

function findByArn(broker: Broker, arn: string): Queue {
  const queue = broker.queues.get(arn.split(':').at(-1) ?? '')
  if (!queue)
    throw new QueueRefusal(
      'ResourceNotFoundException',
      "The resource that you specified for the SourceArn parameter doesn't exist.",
    )
  return queue
}

/** Moves visible messages, as new messages; without a destination, back to their source queues. */
function move(broker: Broker, source: Queue, destination: Queue | undefined): MoveTask {
  const now = broker.now()
  const visible = [...source.messages.values()].filter(({ visibleAt }) => visibleAt <= now)
  const movable = visible.filter(({ deadLetterSource }) => destination ?? deadLetterSource)
  for (const { sequence, deadLetterSource, body, attributes, traceHeader, groupId, deduplicationId } of movable) {
    const target = destination ?? findQueue(broker, deadLetterSource ?? '')
    source.messages.delete(sequence)
    const copied = { body, attributes, traceHeader, groupId, deduplicationId }
    append(target, { ...copied, id: randomUUID(), sentAt: now, visibleAt: now, receiveCount: 0 })
    broker.changed(target)
  }
  broker.changed(source)
  const complete = movable.length === visible.length
  return {
    TaskHandle: randomUUID(),
    Status: complete ? 'COMPLETED' : 'FAILED',
    SourceArn: arnOf(source),
    DestinationArn: destination && arnOf(destination),
    ApproximateNumberOfMessagesMoved: movable.length,
    ApproximateNumberOfMessagesToMove: visible.length,
    FailureReason: complete ? undefined : 'CouldNotDetermineMessageSource',
    StartedTimestamp: now,
  }
}

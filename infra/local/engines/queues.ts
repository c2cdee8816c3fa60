import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { JsonAnswer, JsonRequest } from '../iam/json.ts'
import type { QueuePlan } from '../template/stores.ts'
import type { EngineOptions, TimedEngine } from './engine.ts'
import { startJsonServer } from './json-server.ts'
import { accountId, type Broker, findQueue, type QueueFaults } from './queues/broker.ts'
import { createLongPolls } from './queues/long-polls.ts'
import { type PeekedMessage, peekAt } from './queues/message.ts'
import * as messages from './queues/message-operations.ts'
import type { Outgoing } from './queues/message-rules.ts'
import * as moves from './queues/move-tasks.ts'
import type { Operation } from './queues/operation.ts'
import { nextVisibleAt, openQueues } from './queues/queue.ts'
import * as queues from './queues/queue-operations.ts'
import { deleteByReceipt } from './queues/receipts.ts'
import * as receives from './queues/receive.ts'
import { QueueRefusal } from './queues/refusal.ts'
import { send } from './queues/send.ts'

/** The local SQS. */
export interface Queues extends TimedEngine {
  readonly faults: QueueFaults
  queueUrl(queueName: string): string
  /** Creates the queues that are missing, and sets the attributes of all. */
  provision(plans: readonly QueuePlan[]): void
  /** The contents of a queue, in the order sent; reading it changes nothing. */
  peek(queueName: string): PeekedMessage[]
  /** How many messages each queue has. */
  counts(): Iterable<readonly [queueName: string, count: number]>
  /** To be called after a test clock moved: long polls look again. */
  wake(): void
  /** What the endpoint does for ReceiveMessage, for the part of this process that acts as Lambda's pollers. */
  receive(input: Parameters<typeof receives.receive>[1], gone: AbortSignal): Promise<receives.Received[]>
  /** The same for DeleteMessage, of any number of messages. */
  remove(queueName: string, receipts: readonly string[]): void
  /** The same for SendMessage, for the Scheduler. */
  send(queueName: string, message: Outgoing): void
}

const operations = new Map<string, Operation>([
  ...Object.entries(queues),
  ...Object.entries(messages),
  ...Object.entries(moves),
  ['receiveMessage', receives.receiveMessage],
])

/** Starts an SQS endpoint (AWS JSON 1.0). */
export async function startQueues({ clock, port = 0, folder, isDurable, guard }: EngineOptions): Promise<Queues> {
  const store = openQueues(folder && join(folder, 'queues.sqlite'), isDurable)
  const { all } = store
  const now = () => clock.now()
  const polls = createLongPolls(now)
  const queueUrl = (name: string) => `${server.url}/${accountId}/${name}`
  const broker: Broker = {
    now,
    queues: all,
    faults: {},
    polls,
    moveTasks: [],
    queueUrl,
    makeQueue: (name, attributes) => store.make(name, attributes, now()),
    changed(queue) {
      store.save(queue)
      polls.wake(queue.name)
    },
  }
  const server = await startJsonServer(port, 'application/x-amz-json-1.0', (request) => answer(broker, request), guard)
  return {
    url: server.url,
    faults: broker.faults,
    queueUrl,
    provision(plans) {
      const { signal } = new AbortController()
      for (const { name } of plans) if (!all.has(name)) queues.createQueue(broker, { QueueName: name }, signal)
      // After all queues exist: a redrive policy names another queue.
      for (const { name, attributes } of plans) {
        queues.setQueueAttributes(broker, { QueueUrl: queueUrl(name), Attributes: attributes }, signal)
      }
    },
    peek(queueName) {
      return [...findQueue(broker, queueName).messages.values()].map((message) => peekAt(message, queueName, now()))
    },
    counts: () => [...all.values()].map(({ name, messages: { size } }) => [name, size] as const),
    wake: () => polls.wake(),
    receive: (input, gone) => receives.receive(broker, input, gone),
    remove(queueName, receipts) {
      const queue = findQueue(broker, queueName)
      for (const receipt of receipts) deleteByReceipt(broker, queue, receipt)
      broker.changed(queue)
    },
    send(queueName, message) {
      const queue = findQueue(broker, queueName)
      send(broker, queue, message)
      broker.changed(queue)
    },
    nextDueAt() {
      const moments = [...all.values()].flatMap((queue) => nextVisibleAt(queue, now()) ?? [])
      return moments.length > 0 ? Math.min(...moments) : undefined
    },
    async close() {
      polls.close()
      await server.close()
      store.close()
    },
  }
}

async function answer(broker: Broker, { headers, body, gone }: JsonRequest): Promise<JsonAnswer> {
  const requestId = { 'x-amzn-requestid': randomUUID() }
  try {
    const name = String(headers['x-amz-target']).replace(/^AmazonSQS\./, '')
    const operation = operations.get(name.charAt(0).toLowerCase() + name.slice(1))
    if (!operation) throw new QueueRefusal('UnknownOperationException', `The local SQS has no operation ${name}.`)
    return { status: 200, headers: requestId, body: await operation(broker, body ?? {}, gone) }
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error
    return {
      status: 400,
      headers: { ...requestId, 'x-amzn-query-error': `${error.code};Sender` },
      body: { __type: `com.amazonaws.sqs#${error.type}`, message: error.message },
    }
  }
}

import type { SQSEvent, SQSMessageAttribute, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import type { MessageAttribute } from '../engines/queues/message.ts'
import type { Received } from '../engines/queues/receive.ts'
import type { Queues } from '../engines/queues.ts'
import { region } from '../template/account.ts'
import type { MappingPlan } from '../template/functions.ts'

/** An event source mapping: receives batches from a queue and hands them to its function. */
export interface Feed {
  readonly mapping: MappingPlan
  /** One batch, immediately or as soon as there is anything within the wait. */
  receive(waitSeconds: number, signal?: AbortSignal): Promise<SQSRecord[]>
  /**
   * Invokes the function and deletes the messages that it did not report as failed; throws if the invocation failed as a
   * whole.
   */
  hand(records: readonly SQSRecord[]): Promise<void>
}

const Failures = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) })

/** IDs of the messages that stay in the queue; a report that names none of them or is malformed keeps all (Lambda guide). */
const failedIn = (answer: unknown, records: readonly SQSRecord[]): ReadonlySet<string> => {
  const all = new Set(records.map(({ messageId }) => messageId))
  const parsed = Failures.safeParse(answer ?? { batchItemFailures: [] })
  const failed = parsed.success ? parsed.data.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) : ['']
  return failed.every((id) => all.has(id)) ? new Set(failed) : all
}

const attributeOf = ({ DataType, StringValue, BinaryValue }: MessageAttribute): SQSMessageAttribute => ({
  ...(StringValue === undefined ? {} : { stringValue: StringValue }),
  ...(BinaryValue === undefined ? {} : { binaryValue: BinaryValue }),
  dataType: DataType,
})

/** SQS returns every requested system attribute, and all were requested. */
const noAttributes: SQSRecord['attributes'] = {
  ApproximateReceiveCount: '',
  SentTimestamp: '',
  SenderId: '',
  ApproximateFirstReceiveTimestamp: '',
}

const recordOf = (message: Received, queueArn: string): SQSRecord => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: { ...noAttributes, ...message.Attributes },
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
  ),
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
})

const never = new AbortController().signal

export const makeFeed = (
  queues: Pick<Queues, 'receive' | 'remove'>,
  mapping: MappingPlan,
  invoke: (event: SQSEvent) => Promise<unknown>,
): Feed => ({
  mapping,
  async receive(waitSeconds, signal = never) {
    const messages = await queues.receive(
      {
        QueueUrl: mapping.queueName,
        MaxNumberOfMessages: Math.min(10, mapping.batchSize),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      },
      signal,
    )
    return messages.map((message) => recordOf(message, mapping.queueArn))
  },
  async hand(records) {
    const failed = failedIn(await invoke({ Records: [...records] }), records)
    const done = records.filter(({ messageId }) => !failed.has(messageId))
    if (done.length > 0) {
      queues.remove(
        mapping.queueName,
        done.map(({ receiptHandle }) => receiptHandle),
      )
    }
  },
})

import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSMessageAttribute, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { region } from '../template/account.ts'
import type { MappingPlan } from '../template/functions.ts'

/** An event source mapping: takes batches from a queue and hands them to its function. */
export interface Feed {
  readonly mapping: MappingPlan
  /** One batch, at once or as soon as there is anything within the wait. */
  receive(waitSeconds: number, signal?: AbortSignal): Promise<SQSRecord[]>
  /** Invokes the function and deletes what it did not report as failed; throws when the invocation failed as a whole. */
  hand(records: readonly SQSRecord[]): Promise<void>
}

const Failures = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) })

/** Ids of the messages that stay in the queue; a report that names none of them or is malformed keeps all (Lambda guide). */
const failedIn = (answer: unknown, records: readonly SQSRecord[]): ReadonlySet<string> => {
  const all = new Set(records.map(({ messageId }) => messageId))
  const parsed = Failures.safeParse(answer ?? { batchItemFailures: [] })
  const failed = parsed.success ? parsed.data.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) : ['']
  return failed.every((id) => all.has(id)) ? new Set(failed) : all
}

const attributeOf = (value: MessageAttributeValue): SQSMessageAttribute => ({
  ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
  ...(value.BinaryValue === undefined ? {} : { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
  dataType: value.DataType ?? 'String',
})

const recordOf = (message: Message, queueArn: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  // SQS gives every system attribute that was asked for, and all were.
  attributes: (message.Attributes ?? {}) as unknown as SQSRecord['attributes'],
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
  ),
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
})

export const makeFeed = (
  sqs: SQSClient,
  queueUrl: string,
  mapping: MappingPlan,
  invoke: (event: SQSEvent) => Promise<unknown>,
): Feed => ({
  mapping,
  async receive(waitSeconds, signal) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(10, mapping.batchSize),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
    const { Messages } = await sqs.send(command, signal ? { abortSignal: signal } : {})
    return (Messages ?? []).map((message) => recordOf(message, mapping.queueArn))
  },
  async hand(records) {
    const failed = failedIn(await invoke({ Records: [...records] }), records)
    const Entries = records
      .filter(({ messageId }) => !failed.has(messageId))
      .map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }))
    if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
  },
})

import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Deliver } from '../engines/schedules/firing.ts'

/** Calls a function by the name it has in the account. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>

/** Carries out what the Scheduler fires. */
export const deliverTo =
  (sqs: SQSClient, queueUrl: (name: string) => string, invoke: Invoke): Deliver =>
  async (delivery) => {
    if (delivery.kind === 'function') {
      await invoke(delivery.functionName, JSON.parse(delivery.payload))
      return
    }
    const attributes = Object.entries(delivery.attributes ?? {})
    const command = new SendMessageCommand({
      QueueUrl: queueUrl(delivery.queueName),
      MessageBody: delivery.body,
      MessageGroupId: delivery.messageGroupId,
      MessageDeduplicationId: delivery.messageDeduplicationId,
      DelaySeconds: delivery.delaySeconds,
      MessageAttributes: Object.fromEntries(
        attributes.map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    })
    await sqs.send(command)
  }

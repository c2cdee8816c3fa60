import type { Queues } from '../engines/queues.ts'
import type { Deliver } from '../engines/schedules/firing.ts'

/** Calls a function by the name it has in the account. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>

/** Carries out what the Scheduler fires. */
export const deliverTo =
  (queues: Pick<Queues, 'send'>, invoke: Invoke): Deliver =>
  async (delivery) => {
    if (delivery.kind === 'function') {
      await invoke(delivery.functionName, JSON.parse(delivery.payload))
      return
    }
    const attributes = Object.entries(delivery.attributes ?? {})
    queues.send(delivery.queueName, {
      MessageBody: delivery.body,
      MessageGroupId: delivery.messageGroupId,
      MessageDeduplicationId: delivery.messageDeduplicationId,
      DelaySeconds: delivery.delaySeconds,
      MessageAttributes: Object.fromEntries(
        attributes.map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    })
  }

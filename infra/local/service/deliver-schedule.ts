import type { Queues } from '../engines/queues.ts'
import type { Deliver } from '../engines/schedules/firing.ts'
import { queueArn } from '../iam/actions/sqs.ts'
import type { Authority } from '../iam/authority.ts'
import { assumeForSchedule } from '../iam/schedule-role.ts'
import { accountId, region } from '../template/account.ts'

/** Calls a function by the name it has in the account. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>

export interface DeliverParts {
  queues: Pick<Queues, 'send'>
  invoke: Invoke
  /** Without it, every role may do everything. */
  authority?: Authority | undefined
}

/** Invokes what the Scheduler fires, with the rights of the schedule's role. */
export const deliverTo =
  ({ queues, invoke, authority }: DeliverParts): Deliver =>
  async (delivery) => {
    const isFunction = delivery.kind === 'function'
    const access = isFunction
      ? {
          action: 'lambda:InvokeFunction',
          resource: `arn:aws:lambda:${region}:${accountId}:function:${delivery.functionName}`,
        }
      : { action: 'sqs:SendMessage', resource: queueArn(delivery.queueName) }
    const { roleArn, scheduleArn } = delivery
    const refusal = authority?.refusal(assumeForSchedule(authority, roleArn, scheduleArn), [access])
    if (refusal !== undefined) throw new Error(`AccessDeniedException: ${refusal}`)
    if (isFunction) {
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

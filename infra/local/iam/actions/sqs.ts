import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { lastPart } from '../../template/arn.ts'
import { type GuardedService, mapped, operationOf } from '../guard.ts'

/** A batch requires the right of the single operation (service authorization reference, Amazon SQS). */
const actions: Readonly<Record<string, string>> = {
  CreateQueue: 'CreateQueue',
  DeleteQueue: 'DeleteQueue',
  GetQueueAttributes: 'GetQueueAttributes',
  SetQueueAttributes: 'SetQueueAttributes',
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  StartMessageMoveTask: 'StartMessageMoveTask',
  ListMessageMoveTasks: 'ListMessageMoveTasks',
}

const OnQueue = z.object({
  QueueUrl: z.optional(z.string()),
  QueueName: z.optional(z.string()),
  SourceArn: z.optional(z.string()),
})

/** The ARN of a queue by its name. */
export const queueArn = (name: string): string => `arn:aws:sqs:${region}:${accountId}:${name}`

/** What SQS asks IAM for; its responses name the action in lower case. */
export const sqsAccess: GuardedService = {
  accessesOf(request) {
    const action = mapped(actions, 'SQS', operationOf(request))
    const { QueueUrl, QueueName, SourceArn } = z.parse(OnQueue, request.body ?? {})
    const resource = SourceArn ?? queueArn(lastPart(QueueUrl ?? QueueName ?? ''))
    return [{ action: `sqs:${action}`, resource }]
  },
  refuse: (type, message) => ({
    status: 403,
    headers: {
      'x-amzn-query-error': `${type === 'AccessDeniedException' ? 'AccessDenied' : 'InvalidClientTokenId'};Sender`,
    },
    body: {
      __type: `com.amazon.coral.service#${type}`,
      message: message.replace(/sqs:\w+/g, (action) => action.toLowerCase()),
    },
  }),
}

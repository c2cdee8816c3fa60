import type { Authority } from '../iam/authority.ts'
import type { Blueprint } from '../template.ts'

/** What Lambda needs to poll a queue (SQS developer guide, "Configuring an Amazon SQS queue to trigger a Lambda function"). */
const pollActions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']

/** Rejects what Lambda rejects when a function or an event source mapping is created. */
export const admitFunctions = (authority: Authority, { functions, mappings }: Blueprint): void => {
  for (const { name, arn, role } of functions) authority.assume(role, name, 'lambda.amazonaws.com', arn)
  for (const { functionName, queueArn } of mappings) {
    for (const action of pollActions) {
      const access = { action: `sqs:${action}`, resource: queueArn }
      if (authority.refusal(authority.sessionOf(functionName), [access]) === undefined) continue
      throw new Error(
        `The function execution role of ${functionName} does not have permissions to call ${action} on SQS`,
      )
    }
  }
}

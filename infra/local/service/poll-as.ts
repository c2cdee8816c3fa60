import type { Queues } from '../engines/queues.ts'
import { queueArn } from '../iam/actions/sqs.ts'
import type { Authority } from '../iam/authority.ts'

/** SQS as the pollers of Lambda use it: with the role of the function that they feed. */
export const pollAs = (
  queues: Queues,
  authority: Authority,
  functionName: string,
): Pick<Queues, 'receive' | 'remove'> => {
  const demand = (action: string, queueName: string) => {
    const access = { action: `sqs:${action}`, resource: queueArn(queueName) }
    const refusal = authority.refusal(authority.sessionOf(functionName), [access])
    if (refusal !== undefined) throw new Error(`AccessDenied: ${refusal}`)
  }
  return {
    receive(input, gone) {
      demand('ReceiveMessage', String(input.QueueUrl))
      return queues.receive(input, gone)
    },
    remove(queueName, receipts) {
      demand('DeleteMessage', queueName)
      queues.remove(queueName, receipts)
    },
  }
}

import { Duration } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IQueue, Queue, QueueEncryption, QueuePolicy } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { workerTable } from '../../functions/routes.ts'
import type { QueueName } from '../../shared/resources.ts'
import { type Names, queueNames } from './names.ts'

const longestSeconds = (queue: QueueName) =>
  Math.max(
    60,
    ...workerTable.map(({ worker: { definition } }) =>
      'queues' in definition && definition.queues.includes(queue) ? definition.timeoutSeconds : 0,
    ),
  )

/** One policy for all queues: one for each would take a place among the 500 resources of the stack. */
const requireTls = (scope: Construct, queues: readonly IQueue[]) =>
  new QueuePolicy(scope, 'queues-policy', { queues: [...queues] }).document.addStatements(
    new PolicyStatement({
      sid: 'TlsOnly',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sqs:*'],
      // The queue that the policy hangs on.
      resources: ['*'],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  )

const makeQueue = (scope: Construct, names: Names, name: QueueName, deadLetters: IQueue) =>
  new Queue(scope, `${name}-queue`, {
    queueName: names.physical(name),
    encryption: QueueEncryption.SQS_MANAGED,
    // A post that waits in a backlog must not be lost with its message.
    retentionPeriod: Duration.days(14),
    // Six times the function's timeout, as the Lambda guide advises for SQS (read 2026-11-21).
    visibilityTimeout: Duration.seconds(6 * longestSeconds(name)),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
  })

/**
 * The queues of the pipeline, and one dead-letter queue for all of them, because each queue that is watched has a price:
 * its messages name the queue they come from, and a redrive takes each back to its own.
 */
export const makeQueues = (scope: Construct, names: Names): void => {
  const deadLetters = new Queue(scope, 'dead-letters', {
    queueName: names.deadLetters,
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.days(14),
  })
  const queues = queueNames.map((name) => makeQueue(scope, names, name, deadLetters))
  requireTls(scope, [...queues, deadLetters])
}

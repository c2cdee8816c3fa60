import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { workerTable } from '../../functions/routes.ts'
import type { QueueName } from '../../shared/resources.ts'
import { deadLetterName, physicalName, queueNames } from './names.ts'

const longestSeconds = (queue: QueueName) =>
  Math.max(
    60,
    ...workerTable.map(({ worker: { definition } }) =>
      'queues' in definition && definition.queues.includes(queue) ? definition.timeoutSeconds : 0,
    ),
  )

/** The queues of the pipeline, each with its dead-letter queue. */
export const makeQueues = (scope: Construct): ReadonlyMap<QueueName, Queue> =>
  new Map(
    queueNames.map((name) => {
      const deadLetters = new Queue(scope, `${name}-dead-letters`, {
        queueName: deadLetterName(name),
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
      })
      const queue = new Queue(scope, `${name}-queue`, {
        queueName: physicalName(name),
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        // A post that waits in a backlog must not be lost with its message.
        retentionPeriod: Duration.days(14),
        // Six times the function's timeout, as the Lambda guide advises for SQS (read 2026-11-21).
        visibilityTimeout: Duration.seconds(6 * longestSeconds(name)),
        deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
      })
      return [name, queue] as const
    }),
  )

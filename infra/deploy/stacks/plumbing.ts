import { Duration, Stack } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { type IQueue, Queue, QueueEncryption, QueuePolicy, type QueueProps } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { workerTable } from '../../../functions/routes.ts'
import type { QueueName } from '../../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { type Names, queueNames } from './names.ts'
import { storeParameter } from './parameters.ts'
import { type References, referencesIn } from './references.ts'
import { makeStack } from './stack.ts'

const longestSeconds = (queue: QueueName) =>
  Math.max(
    60,
    ...workerTable.map(({ worker: { definition } }) =>
      'queues' in definition && definition.queues.includes(queue) ? definition.timeoutSeconds : 0,
    ),
  )

/** One policy for all queues: one for each would take up one of the 500 resources of the stack. */
const requireTls = (scope: Construct, queues: readonly IQueue[]) => {
  const policy = new QueuePolicy(scope, 'queues-policy', { queues: [...queues] })
  policy.document.addStatements(
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
  exceptFrom(policy, 'whatever is not sent over TLS is denied', 'sqs:* is no action')
  exceptFrom(policy, 'the policy of a queue is about that queue', 'sqs:* is given *')
}

const makeQueue = (scope: Construct, id: string, props: QueueProps) => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    // A post that waits in a backlog must not be lost with its message.
    retentionPeriod: Duration.days(14),
    ...props,
  })
  exceptFrom(queue, 'encrypted by SSE-SQS (SqsManagedSseEnabled), which the rule does not look for', 'CKV_AWS_27')
  return queue
}

const makeWorkQueue = (scope: Construct, names: Names, name: QueueName, deadLetters: IQueue) =>
  makeQueue(scope, `${name}-queue`, {
    queueName: names.physical(name),
    // Six times the function's timeout, as the Lambda guide advises for SQS (read 2026-11-21).
    visibilityTimeout: Duration.seconds(6 * longestSeconds(name)),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
  })

/**
 * The queues of the pipeline, and one dead-letter queue for all of them, because each monitored queue has a price: its
 * messages name the queue they come from, and a redrive returns each to its source queue.
 */
const makeQueues = (scope: Construct, names: Names): void => {
  const deadLetters = makeQueue(scope, 'dead-letters', { queueName: names.deadLetters })
  exceptFrom(deadLetters, 'it is the dead-letter queue', 'sqs_dlq_check')
  const queues = queueNames.map((name) => makeWorkQueue(scope, names, name, deadLetters))
  requireTls(scope, [...queues, deadLetters])
}

/** The group of one-time schedules, and the role that lets them send to the prepare queue and do nothing else. */
const makeSchedules = (scope: Construct, { scheduleGroup, physical }: Names, arnOf: References['arnOf']): Role => {
  new CfnScheduleGroup(scope, 'schedules', { name: scheduleGroup })
  return new Role(scope, 'schedule-role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      // Only for schedules of this group (Scheduler user guide, "Confused deputy prevention").
      conditions: {
        StringEquals: {
          'aws:SourceAccount': Stack.of(scope).account,
          'aws:SourceArn': arnOf('scheduler', `schedule-group/${scheduleGroup}`),
        },
      },
    }),
    inlinePolicies: {
      send: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [arnOf('sqs', physical('prepare'))] }),
        ],
      }),
    },
  })
}

/** What functions send to and are started by: the queues, and the group of one-time schedules. */
export const makePlumbing = (scope: Construct, configuration: Configuration): Stack => {
  const { names } = configuration
  const stack = makeStack(scope, configuration, 'plumbing', {
    description: 'Queues and schedules of the Social Publishing Service.',
    terminationProtection: true,
  })
  makeQueues(stack, names)
  const { arnOf } = referencesIn(stack, configuration)
  storeParameter(stack, names, 'schedule-role-arn', makeSchedules(stack, names, arnOf).roleArn)
  return stack
}

import type { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Configuration } from './configuration.ts'
import { storeParameter } from './parameters.ts'
import { makeQueues } from './queues.ts'
import { referencesIn } from './references.ts'
import { makeSchedules } from './schedules.ts'
import { makeStack } from './stack.ts'

/** What functions send to and are started by: the queues, and the group of one-time schedules. */
export const makePlumbing = (scope: Construct, configuration: Configuration): Stack => {
  const { names } = configuration
  const stack = makeStack(scope, configuration, 'plumbing', {
    description: 'Queues and schedules of the Social Publishing Service.',
    terminationProtection: true,
  })
  makeQueues(stack, names)
  const prepareQueueArn = referencesIn(stack, configuration).arnOf('sqs', names.physical('prepare'))
  storeParameter(stack, names, 'schedule-role-arn', makeSchedules(stack, names, prepareQueueArn).roleArn)
  return stack
}

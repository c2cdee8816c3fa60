import { Stack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { Construct } from 'constructs'
import type { Names } from './names.ts'

/** The group of one-time schedules, and the role by which they may send to the prepare queue and do nothing else. */
export const makeSchedules = (scope: Construct, names: Names, prepareQueueArn: string): Role => {
  new CfnScheduleGroup(scope, 'schedules', { name: names.scheduleGroup })
  return new Role(scope, 'schedule-role', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      // Only for schedules of this account (Scheduler user guide, "Confused deputy prevention").
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    inlinePolicies: {
      send: new PolicyDocument({
        statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [prepareQueueArn] })],
      }),
    },
  })
}

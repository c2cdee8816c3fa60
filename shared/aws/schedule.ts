import { ConflictException, CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'
import { messageText } from './queue.ts'

const client = perContext((ctx) => makeClient(ctx, SchedulerClient, {}))

/** A message that the Scheduler sends to the prepare queue once, with a precision of one minute. */
export interface ScheduledMessage {
  /** Derived from its purpose, so that the same request creates the same schedule. */
  name: string
  atMs: number
  body: object
  group: string
}

/** Creates a schedule; one that exists is the same one. It deletes itself after it has fired. */
export const createSchedule = async (ctx: Context, message: ScheduledMessage): Promise<void> => {
  const at = new Date(message.atMs).toISOString().slice(0, 19)
  const input = {
    QueueUrl: `${ctx.env('QUEUE_URL_PREFIX')}prepare`,
    MessageBody: messageText(ctx, message.body),
    MessageGroupId: message.group,
  }
  const command = new CreateScheduleCommand({
    Name: message.name,
    GroupName: ctx.env('SCHEDULE_GROUP'),
    ClientToken: message.name,
    ScheduleExpression: `at(${at})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
      RoleArn: ctx.env('SCHEDULE_ROLE_ARN'),
      Input: JSON.stringify(input),
      RetryPolicy: { MaximumEventAgeInSeconds: 900, MaximumRetryAttempts: 185 },
    },
  })
  await ctx.observe({ service: 'scheduler', action: 'CreateSchedule', resource: 'schedule-group' }, () =>
    client(ctx)
      .send(command)
      .catch((error: unknown) => {
        if (!(error instanceof ConflictException)) throw error
      }),
  )
}

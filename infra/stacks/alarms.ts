import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import type { MetricName } from '../../shared/context.ts'
import type { Names } from './names.ts'
import { failedInvocations, workerErrors } from './workers.ts'

/** A number that must stay below a line, or above it, and what it means when it does not. */
interface Watch {
  name: string
  meaning: string
  metric: IMetric
  threshold: number
  periods?: number
  /** In how many of the periods; in all if absent. */
  times?: number
  /** It must not be less than its threshold, and silence counts as less. */
  isHeartbeat?: true
}

const measure = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  { statistic, minutes = 1 }: { statistic: string; minutes?: number | undefined },
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) })

/** What log lines count. */
const counted = ({ metricNamespace }: Names, metricName: MetricName | typeof workerErrors | typeof failedInvocations) =>
  measure(metricNamespace, metricName, {}, { statistic: 'Sum', minutes: 5 })

/** Metrics by name in an expression of metric math. */
const calculated = (expression: string, usingMetrics: Record<string, Metric>, minutes: number) =>
  new MathExpression({ expression, usingMetrics, period: Duration.minutes(minutes) })

/** The sum of metrics that have no value while nothing happens. */
const sumOf = (metrics: readonly Metric[], minutes: number) => {
  const named = metrics.map((metric, n) => [`m${n}`, metric] as const)
  return calculated(named.map(([name]) => `FILL(${name}, 0)`).join(' + '), Object.fromEntries(named), minutes)
}

const lateness = ({ physical, metricNamespace }: Names): Watch => ({
  name: physical('publish-lateness'),
  meaning:
    'A post went to its platform more than a minute late, at its first attempt. Look at the oldest message of the publish queues, at throttles, and at the field latenessMs of the lines "attempt ended" in the log group workers.',
  metric: measure(metricNamespace, 'PublishLatenessMs' satisfies MetricName, {}, { statistic: 'Maximum', minutes: 5 }),
  threshold: 60_000,
})

/** A queue that nobody uses has no values, so that the first message has to be compared with 0. */
const deadLetters = ({ deadLetters }: Names): Watch => ({
  name: `${deadLetters}-messages`,
  meaning:
    'More messages were given up. The attribute DeadLetterQueueSourceArn of each names its queue: read them, mend the cause, redrive.',
  metric: calculated(
    'DIFF(FILL(messages, 0))',
    {
      messages: measure(
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        { QueueName: deadLetters },
        { statistic: 'Maximum' },
      ),
    },
    1,
  ),
  threshold: 1,
})

const overdueWork = (names: Names): Watch => ({
  name: names.physical('overdue-work'),
  meaning:
    'The sweeper resumed work for over fifteen minutes in vain: a worker lags behind, or its queue is not polled. The line "work is overdue" of the log group workers names the queue and the number of rows; the dashboard shows the oldest message of each queue.',
  metric: counted(names, 'OverdueWork'),
  threshold: 1,
})

const sweeper = ({ physical }: Names): Watch => ({
  name: physical('sweep-silent'),
  meaning:
    'The sweeper has not run for fifteen minutes: lost messages are not recovered. Look at its function and at the rule that starts it.',
  metric: measure('AWS/Lambda', 'Invocations', { FunctionName: physical('sweep') }, { statistic: 'Sum', minutes: 5 }),
  threshold: 1,
  periods: 3,
  isHeartbeat: true,
})

const invocations = (names: Names): Watch => ({
  name: names.physical('failed-invocations'),
  meaning:
    'Workers ended with an error, at their timeout, or out of memory, three times in five minutes; one is resumed by its queue. The log stream of the "platform.report" line in the log group workers names the function.',
  metric: counted(names, failedInvocations),
  threshold: 3,
})

const loggedErrors = (names: Names): Watch => ({
  name: names.physical('worker-logged-errors'),
  meaning: 'Workers log errors again and again: a platform, a receiver or our own code fails.',
  metric: counted(names, workerErrors),
  threshold: 5,
})

const throttled = ({ physical }: Names): Watch => ({
  name: physical('lambda-throttled'),
  meaning:
    'Lambda rejects invocations: the account has no concurrency left. Raise the quota "Concurrent executions". It counts all functions of the account in the region.',
  metric: measure('AWS/Lambda', 'Throttles', {}, { statistic: 'Sum', minutes: 5 }),
  threshold: 1,
  periods: 2,
})

const tableThrottled = ({ physical }: Names, tableName: string): Watch => ({
  name: physical('table-throttled'),
  meaning:
    'DynamoDB rejects writes to the table or to an index: a partition is hot, or the table was not warmed up for this load (warmThroughput).',
  metric: sumOf(
    ['TransactWriteItems', 'UpdateItem', 'PutItem'].map((Operation) =>
      measure(
        'AWS/DynamoDB',
        'ThrottledRequests',
        { TableName: tableName, Operation },
        { statistic: 'Sum', minutes: 5 },
      ),
    ),
    5,
  ),
  threshold: 10,
  periods: 2,
})

const serverErrors = ({ physical }: Names): Watch => ({
  name: physical('api-5xx-rate'),
  meaning:
    'More than one in a hundred requests, and more than two, end with a server error, in two of three periods of five minutes.',
  metric: calculated(
    'IF(errors > 2, errors / requests, 0)',
    {
      errors: measure('AWS/ApiGateway', '5XXError', { ApiName: physical('api') }, { statistic: 'Sum', minutes: 5 }),
      requests: measure('AWS/ApiGateway', 'Count', { ApiName: physical('api') }, { statistic: 'Sum', minutes: 5 }),
    },
    5,
  ),
  threshold: 0.01,
  periods: 3,
  times: 2,
})

const schedulesDropped = ({ physical, scheduleGroup }: Names): Watch => ({
  name: physical('schedules-dropped'),
  meaning:
    'EventBridge Scheduler cannot send to the queue "prepare": the sweeper sends these posts instead, up to a minute late. Compare the role and the queue of the schedules with those that exist.',
  metric: sumOf(
    ['InvocationDroppedCount', 'TargetErrorCount'].map((name) =>
      measure('AWS/Scheduler', name, { ScheduleGroup: scheduleGroup }, { statistic: 'Sum', minutes: 5 }),
    ),
    5,
  ),
  threshold: 1,
})

/** SES reviews an account at 5 % and 0.1 %, and may pause its emails (SES guide, "Reputation metrics"). */
const reputation = ({ physical }: Names): Watch => ({
  name: physical('email-reputation'),
  meaning:
    'Of the emails of this account, 3 % bounce or 0.05 % are marked as spam: SES reviews an account at 5 % and 0.1 %. See the dashboard of SES for the reasons.',
  metric: calculated(
    'IF(bounces >= 0.03 || complaints >= 0.0005, 1, 0)',
    {
      bounces: measure('AWS/SES', 'Reputation.BounceRate', {}, { statistic: 'Maximum', minutes: 60 }),
      complaints: measure('AWS/SES', 'Reputation.ComplaintRate', {}, { statistic: 'Maximum', minutes: 60 }),
    },
    60,
  ),
  threshold: 1,
})

const uncounted = (names: Names): Watch => ({
  name: names.physical('uncounted-calls'),
  meaning: 'Calls cannot be counted: sign-in and device login are refused, all other routes go without a limit.',
  metric: counted(names, 'UncountedCalls'),
  threshold: 1,
})

const unsent = (names: Names): Watch => ({
  name: names.physical('unsent-emails'),
  meaning: 'SES does not take emails: read the reasons in the logs. People wait for the links to sign up.',
  metric: counted(names, 'UnsentEmails'),
  threshold: 1,
})

/**
 * Everything that should wake someone. Each metric of an alarm has a price, so an alarm covers all queues or all workers,
 * and its text says where their names are.
 */
const watchesOf = (names: Names, tableName: string): Watch[] => [
  ...[lateness, deadLetters, overdueWork, sweeper, invocations, loggedErrors].map((watch) => watch(names)),
  ...[throttled, serverErrors, schedulesDropped, uncounted, unsent, reputation].map((watch) => watch(names)),
  tableThrottled(names, tableName),
]

export const makeAlarms = (scope: Construct, names: Names, tableName: string): Alarm[] =>
  watchesOf(names, tableName).map(
    ({ name, meaning, metric, threshold, periods = 1, times = periods, isHeartbeat = false }) =>
      new Alarm(scope, name, {
        alarmName: name,
        alarmDescription: meaning,
        metric,
        threshold,
        evaluationPeriods: periods,
        datapointsToAlarm: times,
        comparisonOperator: isHeartbeat
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: isHeartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      }),
  )

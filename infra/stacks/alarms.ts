import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import type { LogMetric, Names } from './names.ts'

/** A number that must stay below a line, or above it, and what it means when it does not. */
interface Watch {
  name: string
  meaning: string
  metric: Metric
  threshold: number
  periods?: number
  /** It must not be less than its threshold, and silence counts as less. */
  isHeartbeat?: true
}

const measure = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  { statistic, minutes = 1 }: { statistic: string; minutes?: number | undefined },
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) })

const counted = ({ metricNamespace, metricName }: LogMetric) =>
  measure(metricNamespace, metricName, {}, { statistic: 'Sum', minutes: 5 })

const deadLetters = ({ deadLetters }: Names): Watch => ({
  name: `${deadLetters}-messages`,
  meaning:
    'Messages were given up. The attribute DeadLetterQueueSourceArn of each names its queue: read them, mend the cause, redrive.',
  metric: measure(
    'AWS/SQS',
    'ApproximateNumberOfMessagesVisible',
    { QueueName: deadLetters },
    { statistic: 'Maximum' },
  ),
  threshold: 1,
})

const overdueWork = ({ physical, overdueWork }: Names): Watch => ({
  name: physical('overdue-work'),
  meaning:
    'The sweeper resumed work for over fifteen minutes in vain: a worker lags behind, or its queue is not polled. The line "work is overdue" of the log group workers names the queue and the number of rows; the dashboard shows the oldest message of each queue.',
  metric: counted(overdueWork),
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

const failedInvocations = ({ physical, failedInvocations }: Names): Watch => ({
  name: physical('failed-invocations'),
  meaning:
    'A worker ended with an error, at its timeout, or out of memory. The log stream of the "platform.report" line in the log group workers names the function.',
  metric: counted(failedInvocations),
  threshold: 1,
})

const loggedErrors = ({ physical, workerErrors }: Names): Watch => ({
  name: physical('worker-logged-errors'),
  meaning: 'Workers log errors again and again: a platform, a receiver or our own code fails.',
  metric: counted(workerErrors),
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
    'DynamoDB rejects writes: a partition is hot, or the table was not warmed up for this load (warmThroughput).',
  metric: measure('AWS/DynamoDB', 'WriteThrottleEvents', { TableName: tableName }, { statistic: 'Sum', minutes: 5 }),
  threshold: 10,
  periods: 2,
})

const serverErrors = ({ physical }: Names): Watch => ({
  name: physical('api-5xx-rate'),
  meaning: 'More than one in a hundred requests ends with a server error.',
  metric: measure('AWS/ApiGateway', '5XXError', { ApiName: physical('api') }, { statistic: 'Average', minutes: 5 }),
  threshold: 0.01,
})

const uncounted = ({ physical, uncountedCalls }: Names): Watch => ({
  name: physical('uncounted-calls'),
  meaning: 'Calls cannot be counted: sign-in and device login are refused, all other routes go without a limit.',
  metric: counted(uncountedCalls),
  threshold: 1,
})

const unsent = ({ physical, unsentEmails }: Names): Watch => ({
  name: physical('unsent-emails'),
  meaning: 'SES does not take emails: read the reasons in the logs. People wait for the links to sign up.',
  metric: counted(unsentEmails),
  threshold: 1,
})

/**
 * Everything that should wake someone. Each metric of an alarm has a price, so an alarm covers all queues or all workers,
 * and its text says where their names are.
 */
const watchesOf = (names: Names, tableName: string): Watch[] => [
  ...[deadLetters, overdueWork, sweeper, failedInvocations, loggedErrors].map((watch) => watch(names)),
  ...[throttled, serverErrors, uncounted, unsent].map((watch) => watch(names)),
  tableThrottled(names, tableName),
]

export const makeAlarms = (scope: Construct, names: Names, tableName: string): Alarm[] =>
  watchesOf(names, tableName).map(
    ({ name, meaning, metric, threshold, periods = 1, isHeartbeat = false }) =>
      new Alarm(scope, name, {
        alarmName: name,
        alarmDescription: meaning,
        metric,
        threshold,
        evaluationPeriods: periods,
        comparisonOperator: isHeartbeat
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: isHeartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      }),
  )

import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { workerTable } from '../../functions/routes.ts'
import { type LogMetric, type Names, queueNames } from './names.ts'

/** A number that must stay below a line, and what it means when it does not. */
interface Watch {
  name: string
  meaning: string
  metric: Metric
  threshold: number
  periods?: number
}

const measure = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string,
  minutes = 1,
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) })

const counted = ({ metricNamespace, metricName }: LogMetric) => measure(metricNamespace, metricName, {}, 'Sum', 5)

const deadLetters = ({ deadLetters, physical }: Names): Watch[] =>
  queueNames.map((queue) => ({
    name: `${deadLetters(queue)}-messages`,
    meaning: `Messages of ${physical(queue)} were given up: read them, mend the cause, redrive.`,
    metric: measure('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: deadLetters(queue) }, 'Maximum'),
    threshold: 1,
  }))

const backlogs = ({ physical }: Names): Watch[] =>
  queueNames.map((queue) => ({
    name: `${physical(queue)}-age`,
    meaning: `The oldest message of ${physical(queue)} has waited for over fifteen minutes: the workers lag behind.`,
    metric: measure('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: physical(queue) }, 'Maximum'),
    // A delayed message is not yet waiting; the longest wait that is meant is that of a retried message.
    threshold: 900,
    periods: 3,
  }))

const failures = ({ physical }: Names): Watch[] =>
  workerTable.map(({ name }) => ({
    name: `${physical(name)}-errors`,
    meaning: `The worker ${name} ended with an error.`,
    metric: measure('AWS/Lambda', 'Errors', { FunctionName: physical(name) }, 'Sum', 5),
    threshold: 1,
  }))

const serverErrors = ({ physical }: Names): Watch => ({
  name: physical('api-5xx-rate'),
  meaning: 'More than one in a hundred requests ends with a server error.',
  metric: measure('AWS/ApiGateway', '5XXError', { ApiName: physical('api') }, 'Average', 5),
  threshold: 0.01,
})

const loggedErrors = ({ physical, workerErrors }: Names): Watch => ({
  name: physical('worker-logged-errors'),
  meaning: 'Workers log errors again and again: a platform, a receiver or our own code fails.',
  metric: counted(workerErrors),
  threshold: 5,
})

const uncounted = ({ physical, uncountedCalls }: Names): Watch => ({
  name: physical('uncounted-calls'),
  meaning: 'Calls cannot be counted: sign-in and device login are refused, all other routes go without a limit.',
  metric: counted(uncountedCalls),
  threshold: 1,
})

/** Everything that should wake someone. */
export const makeAlarms = (scope: Construct, names: Names): Alarm[] =>
  [
    ...[deadLetters, backlogs, failures].flatMap((watches) => watches(names)),
    ...[loggedErrors, serverErrors, uncounted].map((watch) => watch(names)),
  ].map(
    ({ name, meaning, metric, threshold, periods = 1 }) =>
      new Alarm(scope, name, {
        alarmName: name,
        alarmDescription: meaning,
        metric,
        threshold,
        evaluationPeriods: periods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
  )

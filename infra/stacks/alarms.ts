import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { workerTable } from '../../functions/routes.ts'
import { apiName, deadLetterName, physicalName, queueNames, uncountedCalls, workerErrors } from './names.ts'

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

const deadLetters = (): Watch[] =>
  queueNames.map((queue) => ({
    name: `${deadLetterName(queue)}-messages`,
    meaning: `Messages of ${physicalName(queue)} were given up: read them, mend the cause, redrive.`,
    metric: measure('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: deadLetterName(queue) }, 'Maximum'),
    threshold: 1,
  }))

const backlogs = (): Watch[] =>
  queueNames.map((queue) => ({
    name: `${physicalName(queue)}-age`,
    meaning: `The oldest message of ${physicalName(queue)} has waited for over fifteen minutes: the workers lag behind.`,
    metric: measure('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: physicalName(queue) }, 'Maximum'),
    // A delayed message is not yet waiting; the longest wait that is meant is that of a retried message.
    threshold: 900,
    periods: 3,
  }))

const failures = (): Watch[] =>
  workerTable.map(({ name }) => ({
    name: `${physicalName(name)}-errors`,
    meaning: `The worker ${name} ended with an error.`,
    metric: measure('AWS/Lambda', 'Errors', { FunctionName: physicalName(name) }, 'Sum', 5),
    threshold: 1,
  }))

const serverErrors: Watch = {
  name: `${apiName}-5xx-rate`,
  meaning: 'More than one in a hundred requests ends with a server error.',
  metric: measure('AWS/ApiGateway', '5XXError', { ApiName: apiName }, 'Average', 5),
  threshold: 0.01,
}

const loggedErrors: Watch = {
  name: 'social-worker-logged-errors',
  meaning: 'Workers log errors again and again: a platform, a receiver or our own code fails.',
  metric: measure(workerErrors.metricNamespace, workerErrors.metricName, {}, 'Sum', 5),
  threshold: 5,
}

const uncounted: Watch = {
  name: 'social-uncounted-calls',
  meaning: 'Calls cannot be counted: sign-in and device login are refused, all other routes go without a limit.',
  metric: measure(uncountedCalls.metricNamespace, uncountedCalls.metricName, {}, 'Sum', 5),
  threshold: 1,
}

/** Everything that should wake someone. */
export const makeAlarms = (scope: Construct): Alarm[] =>
  [...deadLetters(), ...backlogs(), ...failures(), loggedErrors, serverErrors, uncounted].map(
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

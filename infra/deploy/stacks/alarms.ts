import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import type { MetricName } from '../../../shared/context.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import type { Names, Severity } from './names.ts'
import { delayAlarmMs, latenessAlarmMs } from './thresholds.ts'
import { failedInvocations, workerErrors } from './workers.ts'

/** A metric that must stay below a threshold, or above it, and the meaning of a violation. */
interface Watch {
  /** Also that of its section in infra/RUNBOOK.md. */
  name: string
  severity: Severity
  meaning: string
  metric: IMetric
  threshold: number
  periods?: number
  /** In how many of the periods; in all if absent. */
  times?: number
  /** A value below the threshold raises it, and missing data counts as below. */
  isHeartbeat?: true
}

const measure = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  { statistic, minutes = 1 }: { statistic: string; minutes?: number | undefined },
) => new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(minutes) })

/** What log lines count or measure. */
type OwnMetric = MetricName | typeof workerErrors | typeof failedInvocations
const ownMetric = ({ metricNamespace }: Names, metricName: OwnMetric, { statistic = 'Sum', minutes = 5 } = {}) =>
  measure(metricNamespace, metricName, {}, { statistic, minutes })

/** Ongoing problems are measured again at least every fifteen minutes, so that there is one alarm from beginning to end. */
const lasting = { statistic: 'Maximum', minutes: 20 } as const

/** Metrics by name in an expression of metric math. */
const calculated = (expression: string, usingMetrics: Record<string, Metric>, minutes: number) =>
  new MathExpression({ expression, usingMetrics, period: Duration.minutes(minutes) })

/** The sum of metrics that have no value while the stage is idle. */
const sumOf = (metrics: readonly Metric[], minutes: number) => {
  const named = metrics.map((metric, n) => [`m${n}`, metric] as const)
  return calculated(named.map(([name]) => `FILL(${name}, 0)`).join(' + '), Object.fromEntries(named), minutes)
}

const lateness = (names: Names): Watch => ({
  name: 'publish-lateness',
  severity: 'page',
  meaning:
    'A post went to its platform more than a minute late, at its first attempt. Look at the oldest message of the publish queues, at throttles, and at the field latenessMs of the lines "attempt ended" in the log group workers.',
  metric: ownMetric(names, 'PublishLatenessMs', { statistic: 'Maximum' }),
  threshold: latenessAlarmMs,
})

/** A queue without messages has no values, so the first message has to be compared with 0. */
const deadLetters = ({ deadLetters }: Names): Watch => ({
  name: 'dead-letters-messages',
  severity: 'ticket',
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
  name: 'overdue-work',
  severity: 'page',
  meaning:
    'The sweeper resumed work for over fifteen minutes in vain: a worker lags behind, or its queue is not polled. The line "work is overdue" of the log group workers names the queue, the number of rows, and the first of them; the dashboard shows the oldest message of each queue.',
  metric: ownMetric(names, 'OverdueWork', lasting),
  threshold: 1,
})

const postsWaiting = (names: Names): Watch => ({
  name: 'posts-waiting',
  severity: 'page',
  meaning:
    'Posts are due for more than five minutes, and wait until their platform answers, or shows what became of their call. The lines "attempt ended" of the log group workers with PostDelayMs name the platform. They are published when it answers, up to 24 hours after their time.',
  metric: ownMetric(names, 'PostDelayMs', lasting),
  threshold: delayAlarmMs,
})

const operatorNeeded = (names: Names): Watch => ({
  name: 'operator-action-needed',
  severity: 'page',
  meaning:
    'A platform refuses the app of this service, as after a wrong or expired secret. Its posts wait up to 24 hours, and are published when that is mended. Or a pause of a newer release stops everything. The line "operator action needed" of the log group workers names the platform and the reason.',
  metric: ownMetric(names, 'OperatorActionNeeded', { ...lasting, statistic: 'Sum' }),
  threshold: 1,
})

const sweeper = ({ physical }: Names): Watch => ({
  name: 'sweep-silent',
  severity: 'page',
  meaning:
    'The sweeper has not run for fifteen minutes: lost messages are not recovered. Look at its function and at the rule that starts it.',
  metric: measure('AWS/Lambda', 'Invocations', { FunctionName: physical('sweep') }, { statistic: 'Sum', minutes: 5 }),
  threshold: 1,
  periods: 3,
  isHeartbeat: true,
})

const invocations = (names: Names): Watch => ({
  name: 'failed-invocations',
  severity: 'ticket',
  meaning:
    'Workers ended with an error, at their timeout, or out of memory, three times in five minutes; one is resumed by its queue. The log stream of the "platform.report" line in the log group workers names the function.',
  metric: ownMetric(names, failedInvocations),
  threshold: 3,
})

const loggedErrors = (names: Names): Watch => ({
  name: 'worker-logged-errors',
  severity: 'ticket',
  meaning: 'Workers log errors again and again: a platform, a receiver or our own code fails.',
  metric: ownMetric(names, workerErrors),
  threshold: 5,
})

const throttled = ({ physical }: Names): Watch => ({
  name: 'lambda-throttled',
  severity: 'page',
  meaning:
    'Lambda rejects invocations of the publisher: the account, or the share that is reserved for it, has no concurrency left. Posts are late.',
  metric: measure(
    'AWS/Lambda',
    'Throttles',
    { FunctionName: physical('publish-post') },
    { statistic: 'Sum', minutes: 5 },
  ),
  threshold: 1,
  periods: 2,
})

const tableThrottled = (tableName: string): Watch => ({
  name: 'table-throttled',
  severity: 'page',
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
  name: 'api-5xx-rate',
  severity: 'page',
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

const schedulesDropped = ({ scheduleGroup }: Names): Watch => ({
  name: 'schedules-dropped',
  severity: 'page',
  meaning:
    'EventBridge Scheduler cannot send to the queue "prepare": the sweeper sends these posts instead, those without files up to two minutes late. Compare the role and the queue of the schedules with those that exist.',
  metric: sumOf(
    ['InvocationDroppedCount', 'TargetErrorCount'].map((name) =>
      measure('AWS/Scheduler', name, { ScheduleGroup: scheduleGroup }, { statistic: 'Sum', minutes: 5 }),
    ),
    5,
  ),
  threshold: 1,
})

/** SES reviews an account at 5 % and 0.1 %, and may pause its emails (SES guide, "Reputation metrics"). */
const reputation = (): Watch => ({
  name: 'email-reputation',
  severity: 'ticket',
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

/** A notice is due 90, 30, and 7 days before an end, and each fires once, even while an earlier one is still due. */
const apiEnds = (names: Names): Watch => ({
  name: 'platform-api-ends',
  severity: 'ticket',
  meaning:
    'The API of a platform, or the version of it that this release calls, ends in 90, 30, or 7 days. The line "APIs of platforms end" of the log group workers names it and the day.',
  metric: calculated(
    'DIFF(FILL(notices, 0))',
    { notices: ownMetric(names, 'ApiEndNotices', { statistic: 'Maximum', minutes: 60 }) },
    60,
  ),
  threshold: 1,
})

const uncounted = (names: Names): Watch => ({
  name: 'uncounted-calls',
  severity: 'page',
  meaning: 'Calls cannot be counted: sign-in and device login are refused, all other routes go without a limit.',
  metric: ownMetric(names, 'UncountedCalls'),
  threshold: 1,
})

const unsent = (names: Names): Watch => ({
  name: 'unsent-emails',
  severity: 'ticket',
  meaning: 'SES does not take emails: read the reasons in the logs. People wait for the links to sign up.',
  metric: ownMetric(names, 'UnsentEmails'),
  threshold: 1,
})

/**
 * Everything that should wake someone. Each metric of an alarm has a price, so an alarm covers all queues or all workers,
 * and its text says where their names are.
 */
const watchesOf = (names: Names, tableName: string): Watch[] => [
  ...[lateness, deadLetters, overdueWork, sweeper, invocations, loggedErrors].map((watch) => watch(names)),
  ...[postsWaiting, operatorNeeded].map((watch) => watch(names)),
  ...[throttled, serverErrors, schedulesDropped, apiEnds, uncounted, unsent, reputation].map((watch) => watch(names)),
  tableThrottled(tableName),
]

/** What an alarm means, and where its section of the runbook is. */
const descriptionOf = ({ runbookUrl = 'infra/RUNBOOK.md' }: Configuration, name: string, meaning: string): string =>
  `${meaning} Runbook: ${runbookUrl}#${name}`

export interface SevereAlarm {
  severity: Severity
  alarm: AlarmBase
}

/** The alarms of a stage. */
export const makeAlarms = (scope: Construct, configuration: Configuration, tableName: string): SevereAlarm[] => {
  const { names } = configuration
  return watchesOf(names, tableName).map(
    ({ name, severity, meaning, metric, threshold, periods = 1, times = periods, isHeartbeat = false }) => ({
      severity,
      alarm: new Alarm(scope, names.physical(name), {
        alarmName: names.physical(name),
        alarmDescription: descriptionOf(configuration, name, meaning),
        metric,
        threshold,
        evaluationPeriods: periods,
        datapointsToAlarm: times,
        comparisonOperator: isHeartbeat
          ? ComparisonOperator.LESS_THAN_THRESHOLD
          : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: isHeartbeat ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      }),
    }),
  )
}

/** The objectives of the service, as a share of posts or deliveries. */
export interface Objective {
  name: string
  /** A description for the dashboard. */
  promise: string
  goal: number
  metricName: MetricName
  /** The statistic that is the share, and its unit: percentile ranks are in percent. */
  statistic: string
  whole: number
}

/** Statistics of CloudWatch: PR(:n) is the percentage of values up to n ("CloudWatch statistics definitions", read 2026-11-26). */
export const objectives: readonly Objective[] = [
  {
    name: 'published',
    promise: '99.9 % of posts are published, unless their author must mend something',
    goal: 0.999,
    metricName: 'PostsPublished',
    statistic: 'Average',
    whole: 1,
  },
  {
    name: 'punctual',
    promise: '99 % of posts go out within a second of their time',
    goal: 0.99,
    metricName: 'PublishLatenessMs',
    statistic: 'PR(:1000)',
    whole: 100,
  },
  {
    name: 'delivered',
    promise: '95 % of webhooks are sent within five seconds of their event',
    goal: 0.95,
    metricName: 'DeliveryLatencyMs',
    statistic: 'PR(:5000)',
    whole: 100,
  },
]

/**
 * How fast the error budget of thirty days is used up when an alarm rings: a long window that has used up a part of it (2 %
 * and 5 %), and a short one that is still using it (Google, The Site Reliability Workbook, chapter 5, "Multiwindow,
 * Multi-Burn-Rate Alerts").
 */
const burns = [
  { name: 'fast', severity: 'page', rate: 14.4, longMinutes: 60, shortMinutes: 5 },
  { name: 'slow', severity: 'ticket', rate: 6, longMinutes: 360, shortMinutes: 30 },
] as const

/** So few failures are no trend: at night a few posts are all there are. */
const fewFailures = 2

/** How fast the budget of an objective is used up in a window. */
const burnIn = ({ metricNamespace }: Names, objective: Objective, minutes: number, isLong: boolean) => {
  const { metricName, statistic, whole, goal } = objective
  const share = measure(metricNamespace, metricName, {}, { statistic, minutes })
  const burn = `(1 - share / ${whole}) / ${Number((1 - goal).toFixed(4))}`
  if (!isLong) return calculated(burn, { share }, minutes)
  const count = measure(metricNamespace, metricName, {}, { statistic: 'SampleCount', minutes })
  return calculated(`IF((1 - share / ${whole}) * count > ${fewFailures}.5, ${burn}, 0)`, { share, count }, minutes)
}

/** One alarm for each speed, of all objectives: which one it is about, its parts say. */
export const makeObjectiveAlarms = (scope: Construct, configuration: Configuration): SevereAlarm[] => {
  const { names } = configuration
  return burns.map(({ name: speed, severity, rate, longMinutes, shortMinutes }) => {
    const windowOf = (objective: Objective, minutes: number) => {
      const name = names.physical(`${objective.name}-${minutes}-minutes`)
      const window = new Alarm(scope, name, {
        alarmName: name,
        alarmDescription: `${objective.promise}. In ${minutes} minutes, failures use up the budget of 30 days ${rate} times as fast as they may.`,
        metric: burnIn(names, objective, minutes, minutes === longMinutes),
        threshold: rate,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      })
      exceptFrom(window, 'the composite alarm that it is a part of has the actions', 'cloudwatch_alarm_action_check')
      return window
    }
    const rules = objectives.map((objective) =>
      AlarmRule.allOf(
        ...[longMinutes, shortMinutes].map((minutes) =>
          AlarmRule.fromAlarm(windowOf(objective, minutes), AlarmState.ALARM),
        ),
      ),
    )
    const meaning = `An objective fails ${rate} times as fast as it may, for ${longMinutes} minutes and in the last ${shortMinutes}. The alarms "published", "punctual", and "delivered" with these minutes say which.`
    const name = `objectives-${speed}`
    const alarm = new CompositeAlarm(scope, names.physical(name), {
      compositeAlarmName: names.physical(name),
      alarmDescription: descriptionOf(configuration, name, meaning),
      alarmRule: AlarmRule.anyOf(...rules),
    })
    return { severity, alarm }
  })
}

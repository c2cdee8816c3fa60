import type { Stack } from 'aws-cdk-lib'
import { AlarmStatusWidget, Dashboard, GraphWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { workerTable } from '../../../functions/routes.ts'
import type { MetricName } from '../../../shared/context.ts'
import { platformIds } from '../../../shared/resources.ts'
import { makeAlarms, makeObjectiveAlarms, type Objective, objectives } from './alarms.ts'
import { makeBackups } from './backup.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { type Names, queueNames, type Severity, severities } from './names.ts'
import { referencesIn } from './references.ts'
import { makeStack } from './stack.ts'

const apiMetric = (ApiName: string, metricName: string, statistic: string) =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, dimensionsMap: { ApiName } })

const queueMetric = (queueName: string, metricName: string) =>
  new Metric({ namespace: 'AWS/SQS', metricName, statistic: 'Maximum', dimensionsMap: { QueueName: queueName } })

const functionMetric = (functionName: string, metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', dimensionsMap: { FunctionName: functionName } })

const ownMetric = ({ metricNamespace: namespace }: Names, metricName: MetricName, statistic: string) =>
  new Metric({ namespace, metricName, statistic })

/** The share of an objective, and its goal. */
const shareWidget = (names: Names, { promise, goal, metricName, statistic, whole }: Objective) =>
  new GraphWidget({
    title: promise,
    left: [ownMetric(names, metricName, statistic)],
    leftAnnotations: [{ value: goal * whole, label: 'goal' }],
  })

/** How late the posts of each platform are: the metrics of a deployment with `platformMetrics`. */
const makePlatformDashboard = (stack: Stack, names: Names) =>
  new Dashboard(stack, 'platforms', {
    dashboardName: names.physical('platforms'),
    widgets: ['p50', 'p99'].map((statistic) => [
      new GraphWidget({
        title: `Lateness of posts in ms, ${statistic}, by platform`,
        width: 24,
        left: platformIds.map(
          (platform) =>
            new Metric({
              namespace: names.metricNamespace,
              metricName: 'PublishLatenessMs' satisfies MetricName,
              statistic,
              dimensionsMap: { platform },
            }),
        ),
      }),
    ]),
  })

/** The topics that alarms of a severity notify: ours, with its subscribers, and that of the operator. */
const topicsOf = (stack: Stack, { alarmMail, alarmTargets }: Configuration, severity: Severity): ITopic[] => {
  const own = new Topic(stack, severity === 'page' ? 'alarms' : 'tickets', { enforceSSL: true })
  exceptFrom(
    own,
    'it carries the names of alarms; CloudWatch cannot publish to a topic with the key of AWS',
    'CKV_AWS_26',
  )
  // The policy that requires TLS replaces the default one, which let alarms publish.
  const ofAccount = { StringEquals: { 'aws:SourceAccount': stack.account } }
  own.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: ofAccount }))
  if (alarmMail !== undefined) own.addSubscription(new EmailSubscription(alarmMail))
  const { [severity]: target } = alarmTargets
  if (target?.startsWith('https:')) own.addSubscription(new UrlSubscription(target))
  return target?.startsWith('arn:') ? [own, Topic.fromTopicArn(stack, `${severity}-target`, target)] : [own]
}

/** Alarms, the topics that they notify, the dashboard, and backups. */
export const makeOps = (scope: Construct, configuration: Configuration): Stack => {
  const { names } = configuration
  const api = names.physical('api')
  const stack = makeStack(scope, configuration, 'ops', {
    description: 'Alarms, the dashboard, and backups of the Social Publishing Service.',
  })
  makeBackups(stack, configuration)
  const oldestMessages = queueNames.map((queue) => queueMetric(names.physical(queue), 'ApproximateAgeOfOldestMessage'))
  const { tableName } = referencesIn(stack, configuration)
  const watching = [
    ...makeAlarms(stack, configuration, tableName),
    ...(configuration.objectiveAlarms === 'on' ? makeObjectiveAlarms(stack, configuration) : []),
  ]
  for (const severity of severities) {
    const topics = topicsOf(stack, configuration, severity)
    for (const { alarm } of watching.filter((watched) => watched.severity === severity)) {
      alarm.addAlarmAction(...topics.map((topic) => new SnsAction(topic)))
      alarm.addOkAction(...topics.map((topic) => new SnsAction(topic)))
    }
  }
  const alarms = watching.map(({ alarm }) => alarm)
  // The first three dashboards of an account are free if none shows more than 50 metrics.
  new Dashboard(stack, 'dashboard', {
    dashboardName: names.physical('dashboard'),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
      objectives.map((objective) => shareWidget(names, objective)),
      [
        new GraphWidget({
          title: 'Lateness of posts in ms',
          left: [ownMetric(names, 'PublishLatenessMs', 'p99')],
          leftAnnotations: [{ value: 1000, label: 'objective of p99' }],
        }),
        new GraphWidget({
          title: 'Latency of webhooks in ms',
          left: [ownMetric(names, 'DeliveryLatencyMs', 'p95')],
          leftAnnotations: [{ value: 5000, label: 'objective' }],
        }),
      ],
      [
        // Server errors have an alarm.
        new GraphWidget({ title: 'Requests', left: [apiMetric(api, 'Count', 'Sum')] }),
        new GraphWidget({
          title: 'Latency',
          left: [apiMetric(api, 'Latency', 'p99')],
        }),
        new GraphWidget({ title: 'Oldest message', left: oldestMessages }),
        new GraphWidget({
          title: 'Failed invocations',
          left: workerTable.map(({ name }) => functionMetric(names.physical(name), 'Errors')),
        }),
      ],
    ],
  })
  if (configuration.platformMetrics === 'on') makePlatformDashboard(stack, names)
  return stack
}

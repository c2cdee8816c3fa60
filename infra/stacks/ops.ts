import type { Stack } from 'aws-cdk-lib'
import { AlarmStatusWidget, Dashboard, GraphWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { workerTable } from '../../functions/routes.ts'
import { makeAlarms } from './alarms.ts'
import { makeBackups } from './backup.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { queueNames } from './names.ts'
import { referencesIn } from './references.ts'
import { makeStack } from './stack.ts'

const apiMetric = (ApiName: string, metricName: string, statistic: string) =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, dimensionsMap: { ApiName } })

const queueMetric = (queueName: string, metricName: string) =>
  new Metric({ namespace: 'AWS/SQS', metricName, statistic: 'Maximum', dimensionsMap: { QueueName: queueName } })

const functionMetric = (functionName: string, metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', dimensionsMap: { FunctionName: functionName } })

/** Alarms, the topic that they notify, the dashboard, and backups. */
export const makeOps = (scope: Construct, configuration: Configuration): Stack => {
  const { names } = configuration
  const api = names.physical('api')
  const stack = makeStack(scope, configuration, 'ops', {
    description: 'Alarms, the dashboard, and backups of the Social Publishing Service.',
  })
  makeBackups(stack, configuration)
  const oldestMessages = queueNames.map((queue) => queueMetric(names.physical(queue), 'ApproximateAgeOfOldestMessage'))
  const topic = new Topic(stack, 'alarms', { enforceSSL: true })
  exceptFrom(
    topic,
    'it carries the names of alarms; CloudWatch cannot publish to a topic with the key of AWS',
    'CKV_AWS_26',
  )
  // The policy that demands TLS takes the place of the default one, which let alarms in.
  const ofAccount = { StringEquals: { 'aws:SourceAccount': stack.account } }
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: ofAccount }))
  if (configuration.alarmMail !== undefined) topic.addSubscription(new EmailSubscription(configuration.alarmMail))
  const alarms = makeAlarms(stack, names, referencesIn(stack, configuration).tableName)
  for (const alarm of alarms) {
    alarm.addAlarmAction(new SnsAction(topic))
    alarm.addOkAction(new SnsAction(topic))
  }
  // The first three dashboards of an account are free if none shows more than 50 metrics.
  new Dashboard(stack, 'dashboard', {
    dashboardName: names.physical('dashboard'),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
      [
        new GraphWidget({
          title: 'Requests and server errors',
          left: [apiMetric(api, 'Count', 'Sum'), apiMetric(api, '5XXError', 'Sum')],
        }),
        new GraphWidget({
          title: 'Latency',
          left: [apiMetric(api, 'Latency', 'p50'), apiMetric(api, 'Latency', 'p99')],
        }),
        new GraphWidget({ title: 'Oldest message', left: oldestMessages }),
        new GraphWidget({
          title: 'Failed invocations',
          left: workerTable.map(({ name }) => functionMetric(names.physical(name), 'Errors')),
        }),
      ],
    ],
  })
  return stack
}

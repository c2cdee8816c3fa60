import { Stack, type StackProps } from 'aws-cdk-lib'
import { AlarmStatusWidget, Dashboard, GraphWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { makeAlarms } from './alarms.ts'
import type { Configuration } from './configuration.ts'
import { apiName, physicalName, queueNames } from './names.ts'

const apiMetric = (metricName: string, statistic: string) =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName, statistic, dimensionsMap: { ApiName: apiName } })

const queueMetric = (queueName: string) =>
  new Metric({
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    statistic: 'Maximum',
    dimensionsMap: { QueueName: queueName },
  })

export interface OpsProps extends StackProps {
  configuration: Configuration
}

/** Who is told when the service needs help: alarms, their topic, and one page to look at. */
export const makeOps = (scope: Construct, { configuration, ...props }: OpsProps): Stack => {
  const stack = new Stack(scope, 'social-ops', props)
  const topic = new Topic(stack, 'alarms', { enforceSSL: true })
  // The policy that demands TLS takes the place of the default one, which let alarms in.
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com'))
  if (configuration.alarmMail !== undefined) topic.addSubscription(new EmailSubscription(configuration.alarmMail))
  const alarms = makeAlarms(stack)
  for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic))
  new Dashboard(stack, 'dashboard', {
    dashboardName: 'social',
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
      [
        new GraphWidget({
          title: 'Requests and server errors',
          left: [apiMetric('Count', 'Sum'), apiMetric('5XXError', 'Sum')],
        }),
        new GraphWidget({ title: 'Latency', left: [apiMetric('Latency', 'p50'), apiMetric('Latency', 'p99')] }),
        new GraphWidget({ title: 'Queues', left: queueNames.map((queue) => queueMetric(physicalName(queue))) }),
      ],
    ],
  })
  return stack
}

import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { Alarm, type IMetric, MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Alias, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { workerTable } from '../../../functions/routes.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'

/** What API Gateway, queues, and the clock call of a function that is released in steps. */
export const liveAlias = 'live'

/** Routes that accept posts to be sent, and those that stop them. */
const writers = [
  ...['posts-schedule', 'posts-schedule-thread', 'posts-publish-now', 'posts-publish-thread-now', 'posts-update'],
  ...['posts-reschedule', 'posts-cancel', 'posts-delete', 'oauth-mcp'],
]

/**
 * The functions whose mistakes are irreversible: what they send is public. Other routes show or store data, and a mistake in
 * them ends with the next release.
 */
export const inSteps: ReadonlySet<string> = new Set([...workerTable.map(({ name }) => name), ...writers])

/** Whether a function of a deployment is released in steps. */
export const goesInSteps = ({ canary }: Pick<Configuration, 'canary'>, name: string): boolean =>
  canary === 'on' && inSteps.has(name)

/**
 * Metrics of the workers' logs, by the function and the version that ran: a worker hands failed messages back to their
 * queue, which Lambda counts as success, and a failed post is not an error.
 */
export const byVersion = { errors: 'VersionErrors', published: 'VersionPublished', failed: 'VersionFailed' } as const

const queueWorkers: ReadonlySet<string> = new Set(
  workerTable.flatMap(({ name, worker }) => ('queues' in worker.definition ? [name] : [])),
)

const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited'

/** The shared resources of the releases of one stack. */
const makeRelease = (stack: Stack) => {
  const role = new Role(stack, `${stack.stackName}-release-role`, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
  })
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
    reason: 'AWS CodeDeploy asks for this policy',
  })
  return { role, application: new LambdaApplication(stack, `${stack.stackName}-releases`) }
}

const alarmOn = (stack: Stack, name: string, metric: IMetric, threshold: number, meaning: string): Alarm => {
  const alarmName = `${stack.stackName}-${name}`
  const alarm = new Alarm(stack, alarmName, {
    alarmName,
    alarmDescription: meaning,
    metric,
    threshold,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
  exceptFrom(alarm, 'it ends a release and calls nobody', 'cloudwatch_alarm_action_check')
  return alarm
}

/**
 * Puts the alias `live` in front of functions of a stack that are released gradually: a tenth of the calls for five minutes,
 * then all. The release rolls back if, within a minute, two invocations fail, the new version of a worker fails two messages
 * or half of the posts that it ends (at least three), or the API returns five 5xx responses.
 */
export const stepsIn = (scope: Construct, configuration: Configuration) => {
  const stack = Stack.of(scope)
  let release: ReturnType<typeof makeRelease> | undefined
  let errors: Alarm | undefined
  const minute = { statistic: 'Sum', period: Duration.minutes(1) }
  const ofApi = () => {
    errors ??= alarmOn(
      stack,
      'canary-5xx',
      new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5XXError',
        ...minute,
        dimensionsMap: { ApiName: configuration.names.physical('api') },
      }),
      5,
      'The API answered five errors of its own in a minute. A release that was on its way went back.',
    )
    return [errors]
  }
  const ofVersion = (name: string, version: IVersion): Alarm[] => {
    if (!queueWorkers.has(name)) return []
    const executed = `${configuration.names.physical(name)}:${version.version}`
    const counted = (metricName: string) =>
      new Metric({
        namespace: configuration.names.metricNamespace,
        metricName,
        ...minute,
        dimensionsMap: { executed },
      })
    const failedMessages = alarmOn(
      stack,
      `${name}-canary-messages`,
      counted(byVersion.errors),
      2,
      `The new version of ${name} failed two messages in a minute. Its release, if it was on its way, went back.`,
    )
    if (name !== 'publish-post') return [failedMessages]
    const share = new MathExpression({
      expression: 'IF(FILL(failed, 0) > 2, FILL(failed, 0) / (FILL(failed, 0) + FILL(published, 0)), 0)',
      usingMetrics: { failed: counted(byVersion.failed), published: counted(byVersion.published) },
      period: minute.period,
    })
    const meaning =
      'Half of the posts of the new version failed in a minute. Its release, if it was on its way, went back.'
    return [failedMessages, alarmOn(stack, `${name}-canary-posts`, share, 0.5, meaning)]
  }
  return (name: string, fn: LambdaFunction): string => {
    if (!goesInSteps(configuration, name)) return fn.functionArn
    release ??= makeRelease(stack)
    // The CDK's own types disagree under exactOptionalPropertyTypes.
    const version = fn.currentVersion as IVersion
    const alias = new Alias(scope, `${name}-live`, { aliasName: liveAlias, version })
    // The API calls it until the API's stack is deployed, also after the setting was turned off.
    alias.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
    const failures = alarmOn(
      stack,
      `${name}-canary`,
      alias.metricErrors(minute),
      2,
      `Two invocations of ${name} failed in a minute. Its release, if it was on its way, went back.`,
    )
    new LambdaDeploymentGroup(scope, `${name}-release`, {
      ...release,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [failures, ...ofVersion(name, version), ...(writers.includes(name) ? ofApi() : [])],
    })
    return alias.functionArn
  }
}

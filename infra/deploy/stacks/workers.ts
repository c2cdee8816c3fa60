import type { Stack } from 'aws-cdk-lib'
import { CfnRule } from 'aws-cdk-lib/aws-events'
import { CfnEventSourceMapping, CfnPermission, RecursiveLoop } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type WorkerEntry, workerTable } from '../../../functions/routes.ts'
import type { QueueName } from '../../../shared/resources.ts'
import type { TimerDefinition, WorkerDefinition } from '../../../shared/worker.ts'
import { publishedBy } from './concurrency.ts'
import type { Configuration } from './configuration.ts'
import { type FunctionCode, makeFunction, makeLogGroup, sourcesIn } from './functions.ts'
import { referencesIn } from './references.ts'
import { drainRights } from './rights.ts'
import { makeStack } from './stack.ts'
import { byVersion } from './steps.ts'
import { scalingOf } from './throughput.ts'

const batchSize = (definition: WorkerDefinition, queue: QueueName) =>
  publishedBy(queue)?.publishBatch ?? definition.batchSize

const startByClock = (scope: Construct, { name }: WorkerEntry, definition: TimerDefinition, functionArn: string) => {
  const unit = definition.everyMinutes === 1 ? 'minute' : 'minutes'
  const rule = new CfnRule(scope, `${name}-clock`, {
    description: definition.summary,
    scheduleExpression: `rate(${definition.everyMinutes} ${unit})`,
    targets: [{ id: name, arn: functionArn }],
  })
  new CfnPermission(scope, `${name}-clock-permission`, {
    action: 'lambda:InvokeFunction',
    principal: 'events.amazonaws.com',
    functionName: functionArn,
    sourceArn: rule.attrArn,
  })
}

/** Errors that workers log, and their invocations that ended with an error or at their timeout. */
export const workerErrors = 'WorkerErrors'
export const failedInvocations = 'FailedInvocations'

/**
 * Counts what the workers log in addition to what they measure (`measured` in shared/context.ts). Lambda names the function
 * in the log stream of each line.
 */
const countLines = (scope: Construct, { names }: Configuration, logGroup: LogGroup) => {
  const count = (id: string, filterPattern: IFilterPattern, metricName: string) =>
    new MetricFilter(scope, id, { logGroup, filterPattern, metricNamespace: names.metricNamespace, metricName })
  const text = FilterPattern.stringValue
  // A worker returns failed messages instead of failing itself, so its failures show only in its logs.
  count('worker-errors', text('$.level', '=', 'error'), workerErrors)
  // "timeout", "error", or "failure" (Lambda Telemetry API, platform.report).
  const isReport = text('$.type', '=', 'platform.report')
  count('failed-invocations', FilterPattern.all(isReport, text('$.record.status', '!=', 'success')), failedInvocations)
}

/** Counts by executed version what its step watches (steps.ts). */
const countByVersion = (scope: Construct, { names }: Configuration, logGroup: LogGroup) => {
  const { metricNamespace } = names
  const count = (id: string, filterPattern: IFilterPattern, metricName: string) =>
    new MetricFilter(scope, id, {
      logGroup,
      filterPattern,
      metricNamespace,
      metricName,
      dimensions: { executed: '$.executed' },
    })
  const isError = (message: string) => FilterPattern.stringValue('$.message', '=', message)
  // Errors of our code: an operator may have to release while a platform refuses an app.
  const ours = FilterPattern.any(isError('message failed'), isError('adapter failed'))
  count('version-errors', ours, byVersion.errors)
  count('version-published', FilterPattern.numberValue('$.PostsPublished', '=', 1), byVersion.published)
  count('version-failed', FilterPattern.numberValue('$.PostsFailed', '=', 1), byVersion.failed)
}

/** The functions behind the queues and the clock. */
export const makeWorkers = (scope: Construct, configuration: Configuration, code: FunctionCode): Stack => {
  const stack = makeStack(scope, configuration, 'workers', {
    description: 'Functions behind the queues and the clock of the Social Publishing Service.',
  })
  const sources = sourcesIn(stack, configuration, code)
  const { arnOf } = referencesIn(stack, configuration)
  const logGroup = makeLogGroup(stack, configuration, 'workers')
  countLines(stack, configuration, logGroup)
  if (configuration.canary === 'on') countByVersion(stack, configuration, logGroup)
  for (const entry of workerTable) {
    const { name } = entry
    const { definition } = entry.worker
    const spec = { ...definition, name }
    if ('everyMinutes' in definition) {
      startByClock(stack, entry, definition, makeFunction(stack, sources, logGroup, spec))
      continue
    }
    const functionName = makeFunction(stack, sources, logGroup, {
      ...spec,
      rights: drainRights(definition.queues),
      ...(definition.recursive ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    })
    for (const queue of definition.queues) {
      new CfnEventSourceMapping(stack, `${name}-${queue}`, {
        eventSourceArn: arnOf('sqs', configuration.names.physical(queue)),
        functionName,
        batchSize: batchSize(definition, queue),
        functionResponseTypes: ['ReportBatchItemFailures'],
        ...scalingOf(queue, configuration.pollers, configuration.maximumConcurrency),
      })
    }
  }
  return stack
}

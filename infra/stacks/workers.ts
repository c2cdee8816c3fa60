import { CfnRule } from 'aws-cdk-lib/aws-events'
import {
  CfnEventSourceMapping,
  CfnPermission,
  type Function as LambdaFunction,
  RecursiveLoop,
} from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { type WorkerEntry, workerTable } from '../../functions/routes.ts'
import { platformIds, type QueueName } from '../../shared/resources.ts'
import type { TimerDefinition, WorkerDefinition } from '../../shared/worker.ts'
import { makeFunction, makeLogGroup, type Workshop } from './functions.ts'
import { workerErrors } from './names.ts'
import { drainRights } from './rights.ts'

const batchSize = (definition: WorkerDefinition, queue: QueueName) => {
  const platform = platformIds.find((id) => queue === `publish-${id}`)
  return (platform && definition.batchSizeOf?.[platform]) ?? definition.batchSize
}

const startByClock = (scope: Construct, { name }: WorkerEntry, definition: TimerDefinition, fn: LambdaFunction) => {
  const unit = definition.everyMinutes === 1 ? 'minute' : 'minutes'
  const rule = new CfnRule(scope, `${name}-clock`, {
    description: definition.summary,
    scheduleExpression: `rate(${definition.everyMinutes} ${unit})`,
    targets: [{ id: name, arn: fn.functionArn }],
  })
  new CfnPermission(scope, `${name}-clock-permission`, {
    action: 'lambda:InvokeFunction',
    principal: 'events.amazonaws.com',
    functionName: fn.functionArn,
    sourceArn: rule.attrArn,
  })
}

// A worker hands failed messages back instead of failing itself, so its failures show only in what it logs.
const countErrors = (scope: Construct, logGroup: LogGroup) =>
  new MetricFilter(scope, 'worker-errors', {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.level', '=', 'error'),
    ...workerErrors,
  })

/** The functions behind the queues and the clock. */
export const makeWorkers = (scope: Construct, shop: Workshop, queues: ReadonlyMap<QueueName, Queue>): void => {
  const logGroup = makeLogGroup(scope, 'workers')
  countErrors(scope, logGroup)
  for (const entry of workerTable) {
    const { name } = entry
    const { definition } = entry.worker
    const spec = { ...definition, name }
    if ('everyMinutes' in definition) {
      startByClock(scope, entry, definition, makeFunction(scope, shop, logGroup, spec))
      continue
    }
    const fn = makeFunction(scope, shop, logGroup, {
      ...spec,
      rights: drainRights(definition.queues),
      ...(definition.recursive ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    })
    for (const queue of definition.queues) {
      const source = queues.get(queue)
      if (source === undefined) throw new Error(`the worker ${name} drains the queue ${queue}, which is not there`)
      const maximumConcurrency = shop.configuration.maximumConcurrency[queue]
      new CfnEventSourceMapping(scope, `${name}-${queue}`, {
        eventSourceArn: source.queueArn,
        functionName: fn.functionArn,
        batchSize: batchSize(definition, queue),
        functionResponseTypes: ['ReportBatchItemFailures'],
        ...(maximumConcurrency === undefined ? {} : { scalingConfig: { maximumConcurrency } }),
      })
    }
  }
}

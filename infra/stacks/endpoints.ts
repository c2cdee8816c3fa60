import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { everyRoute, type Route } from '../../functions/routes.ts'
import { notCountedLine } from '../../shared/limits/refuse.ts'
import { defaultMemoryMb } from '../../shared/resources.ts'
import { makeFunction, makeLogGroup, type Workshop } from './functions.ts'
import { uncountedCalls } from './names.ts'
import { needsOf } from './rights.ts'

/** A route and the function that answers it. */
export interface Answering {
  route: Route
  fn: LambdaFunction
}

/** Counts what `shared/access/rate-limit.ts` logs when the table does not let it count. */
const watchCounting = (scope: Construct, group: string, logGroup: LogGroup) =>
  new MetricFilter(scope, `${group}-uncounted-calls`, {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.message', '=', notCountedLine),
    ...uncountedCalls,
  })

/** One function per endpoint, one log group per group of them. */
export const makeEndpoints = (scope: Construct, shop: Workshop): Answering[] => {
  const groups = new Set(everyRoute.map(({ group }) => group))
  const logs = new Map([...groups].map((group) => [group, makeLogGroup(scope, group)]))
  for (const [group, logGroup] of logs) watchCounting(scope, group, logGroup)
  return everyRoute.map((route) => {
    const logGroup = logs.get(route.group)
    if (logGroup === undefined) throw new Error(`the group ${route.group} has no log group`)
    const fn = makeFunction(scope, shop, logGroup, {
      name: route.name,
      summary: route.endpoint.contract.summary,
      needs: needsOf(route.endpoint.contract),
      memoryMb: route.endpoint.contract.memoryMb ?? defaultMemoryMb,
      // API Gateway waits 29 s; the function must end, and be seen to end, before that.
      timeoutSeconds: 28,
    })
    return { route, fn }
  })
}

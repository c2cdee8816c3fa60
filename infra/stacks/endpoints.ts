import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { everyRoute, type Route } from '../../functions/routes.ts'
import { notCountedLine } from '../../shared/limits/refuse.ts'
import { makeFunction, makeLogGroup, type Workshop } from './functions.ts'
import { uncountedCalls } from './names.ts'
import { needsOf } from './rights.ts'

/** A route and the function that answers it. */
export interface Answering {
  route: Route
  fn: LambdaFunction
}

/** What computes, or holds much: an image is walked whole, a search keeps up to 600 MB of index files. */
const heavy = ['/api/media/complete', '/api/memory/search']

// scrypt keeps one vCPU busy, and 1,769 MB is where Lambda gives a whole one (Lambda guide, read 2026-11-21).
const wholeProcessor = ({ endpoint: { contract } }: Route) =>
  contract.method === 'POST' &&
  (/^(\/api\/auth)?\/(login|sign-(in|up)|.*password|two-factor\/)/.test(contract.path) || heavy.includes(contract.path))

const memoryMb = (route: Route) => (wholeProcessor(route) ? 1769 : 512)

/** Counts what `shared/http/rate-limit.ts` logs when the table does not let it count. */
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
      memoryMb: memoryMb(route),
      // API Gateway waits 29 s; the function must end, and be seen to end, before that.
      timeoutSeconds: 28,
    })
    return { route, fn }
  })
}

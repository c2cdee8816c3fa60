import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { type Route, routes } from '../../functions/routes.ts'
import { makeFunction, makeLogGroup, type Workshop } from './functions.ts'
import { needsOf } from './rights.ts'

/** A route and the function that answers it. */
export interface Answering {
  route: Route
  fn: LambdaFunction
}

// scrypt keeps one vCPU busy, and 1,769 MB is where Lambda gives a whole one (Lambda guide, read 2026-11-21).
const memoryMb = (route: Route) =>
  /^\/api\/auth\/(sign-(in|up)|.*password)/.test(route.endpoint.contract.path) ? 1769 : 512

/** One function per endpoint, one log group per group of them. */
export const makeEndpoints = (scope: Construct, shop: Workshop): Answering[] => {
  const groups = new Set(routes.map(({ group }) => group))
  const logs = new Map([...groups].map((group) => [group, makeLogGroup(scope, group)]))
  return routes.map((route) => {
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

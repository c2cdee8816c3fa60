import type { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Route } from '../../../functions/routes.ts'
import { defaultMemoryMb, endpointTimeoutSeconds } from '../../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import { type FunctionCode, makeFunction, makeLogGroup, sourcesIn } from './functions.ts'
import { needsOf } from './rights.ts'
import { makeStack } from './stack.ts'

const makeGroup = (
  scope: Construct,
  configuration: Configuration,
  code: FunctionCode,
  { group, routes }: { group: string; routes: Route[] },
) => {
  const stack = makeStack(scope, configuration, `api-${group}`, {
    description: `Functions behind the routes "${group}" of the Social Publishing Service.`,
  })
  const logGroup = makeLogGroup(stack, configuration, group)
  const sources = sourcesIn(stack, configuration, code)
  for (const { name, endpoint } of routes) {
    makeFunction(stack, sources, logGroup, {
      name,
      summary: endpoint.contract.summary,
      needs: needsOf(endpoint.contract),
      memoryMb: endpoint.contract.memoryMb ?? defaultMemoryMb,
      timeoutSeconds: endpointTimeoutSeconds,
    })
  }
  return stack
}

/** One function per endpoint; a stack and a log group per group of endpoints, so that no template grows with all routes. */
export const makeEndpoints = (
  scope: Construct,
  configuration: Configuration,
  code: FunctionCode,
  routes: readonly Route[],
): Stack[] =>
  [...Map.groupBy(routes, ({ group }) => group)].map(([group, own]) =>
    makeGroup(scope, configuration, code, { group, routes: own }),
  )

import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { LayerName } from '../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import type { Data } from './data.ts'
import { makeDomain } from './domain.ts'
import { makeEndpoints } from './endpoints.ts'
import { makeGateway } from './gateway.ts'
import { makeLayers } from './layers.ts'
import { makeQueues } from './queues.ts'
import { makeSchedules } from './schedules.ts'
import { makeWorkers } from './workers.ts'

export interface AppProps extends StackProps {
  data: Data
  configuration: Configuration
  codeOf: (name: string) => Code
  layerCodeOf: (name: LayerName) => Code
}

/** What every deployment replaces: the API, its functions, the queues and their workers. */
export const makeService = (
  scope: Construct,
  { data, configuration, codeOf, layerCodeOf, ...props }: AppProps,
): Stack => {
  const stack = new Stack(scope, 'social-app', props)
  const queues = makeQueues(stack)
  const prepare = queues.get('prepare')
  if (prepare === undefined) throw new Error('there is no queue prepare')
  const scheduleRoleArn = makeSchedules(stack, prepare).roleArn
  const shop = { data, configuration, scheduleRoleArn, codeOf, layerOf: makeLayers(stack, layerCodeOf) }
  const api = makeGateway(stack, makeEndpoints(stack, shop))
  makeDomain(stack, api, configuration)
  makeWorkers(stack, shop, queues)
  new CfnOutput(stack, 'api-url', { value: api.url })
  return stack
}

import type { Stack, Stage } from 'aws-cdk-lib'
import type { Route } from '../../../functions/routes.ts'
import type { Configuration } from './configuration.ts'
import { makeData } from './data.ts'
import { makeEndpoints } from './endpoints.ts'
import type { FunctionCode } from './functions.ts'
import { makeGateway } from './gateway.ts'
import { makeOps } from './ops.ts'
import { makePlumbing } from './plumbing.ts'
import { makeTableStack } from './table.ts'
import { makeWorkers } from './workers.ts'

export interface ServiceParts extends FunctionCode {
  configuration: Configuration
  routes: readonly Route[]
}

const after = (later: readonly Stack[], earlier: readonly Stack[]) => {
  for (const stack of later) for (const other of earlier) stack.addStackDependency(other)
}

/**
 * The stacks of one stage, in the order in which they are deployed: the stored data, the queues, the functions, the API, the
 * alarms. A function exists before the API calls it, and a parameter before a function reads it.
 */
export const makeService = (app: Stage, { configuration, routes, ...code }: ServiceParts): void => {
  const retained = [makeTableStack(app, configuration), makeData(app, configuration)]
  const plumbing = makePlumbing(app, configuration)
  const workers = makeWorkers(app, configuration, code)
  const endpoints = makeEndpoints(app, configuration, code, routes)
  const functions = [workers, ...endpoints]
  const gateway = makeGateway(app, configuration, routes)
  const ops = makeOps(app, configuration)
  after(functions, [...retained, plumbing])
  // Workers can read what a new endpoint writes before that endpoint exists.
  after(endpoints, [workers])
  after([ops], retained)
  after([gateway], functions)
}

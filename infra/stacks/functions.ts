import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  type Code,
  type ILayerVersion,
  Function as LambdaFunction,
  type RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { LayerName, Need } from '../../shared/resources.ts'
import { type Grounds, statementsOf } from './grants.ts'
import { physicalName } from './names.ts'
import { acknowledgePatterns } from './patterns.ts'
import { type Right, rightsOf } from './rights.ts'
import { variablesOf } from './variables.ts'

/** A function as every endpoint and worker describes it. */
export interface FunctionSpec {
  name: string
  summary: string
  needs: readonly Need[]
  /** Rights beside those of the needs. */
  rights?: readonly Right[]
  memoryMb: number
  timeoutSeconds: number
  layers?: readonly LayerName[]
  recursiveLoop?: RecursiveLoop
}

/** Where functions are made: what they may touch, their code and their logs. */
export interface Workshop extends Grounds {
  /** The code of a function by its name. */
  codeOf: (name: string) => Code
  layerOf: (name: LayerName) => ILayerVersion
}

/** A log group shared by the functions of one group of routes. */
export const makeLogGroup = (scope: Construct, group: string): LogGroup =>
  new LogGroup(scope, `${group}-logs`, {
    logGroupName: `/social/${group}`,
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  })

/** One function with a role of its own that holds what its needs grant, and no more. */
export const makeFunction = (
  scope: Construct,
  shop: Workshop,
  logGroup: LogGroup,
  spec: FunctionSpec,
): LambdaFunction => {
  const writeLogs = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
  const needs = statementsOf(scope, shop, [...rightsOf(spec.needs), ...(spec.rights ?? [])])
  const role = new Role(scope, `${spec.name}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { needs: new PolicyDocument({ statements: [writeLogs, ...needs], minimize: true }) },
  })
  acknowledgePatterns(role, shop.data)
  return new LambdaFunction(scope, spec.name, {
    functionName: physicalName(spec.name),
    description: spec.summary,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: shop.codeOf(spec.name),
    handler: 'index.handler',
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: variablesOf(scope, shop, spec.needs),
    role: role.withoutPolicyUpdates(),
    logGroup,
    ...(spec.layers ? { layers: spec.layers.map(shop.layerOf) } : {}),
    ...(spec.recursiveLoop ? { recursiveLoop: spec.recursiveLoop } : {}),
  })
}

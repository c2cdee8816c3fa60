import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  type Code,
  type ILayerVersion,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { LayerName, Need } from '../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import { statementsOf } from './grants.ts'
import { makeLayers } from './layers.ts'
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

/** Where the code of functions and layers is. */
export interface FunctionCode {
  codeOf: (name: string) => Code
  layerCodeOf: (name: LayerName) => Code
}

/** What the functions of one stack are made of. */
interface FunctionSources extends FunctionCode {
  configuration: Configuration
  /** A layer is a resource of the stack that uses it: its ARN changes with every version. */
  layerOf: (name: LayerName) => ILayerVersion
}

export const sourcesIn = (scope: Construct, configuration: Configuration, code: FunctionCode): FunctionSources => ({
  ...code,
  configuration,
  layerOf: makeLayers(scope, configuration.names, code.layerCodeOf),
})

/** A log group shared by the functions of one group of routes. */
export const makeLogGroup = (scope: Construct, { names }: Configuration, group: string): LogGroup =>
  new LogGroup(scope, `${group}-logs`, {
    logGroupName: names.logGroup(group),
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  })

/** One function with a role of its own that holds what its needs grant, and no more. */
export const makeFunction = (
  scope: Construct,
  sources: FunctionSources,
  logGroup: LogGroup,
  spec: FunctionSpec,
): LambdaFunction => {
  const writeLogs = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
  const rights = [...rightsOf(spec.needs), ...(spec.rights ?? [])]
  const needs = statementsOf(scope, sources.configuration, rights)
  const role = new Role(scope, `${spec.name}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { needs: new PolicyDocument({ statements: [writeLogs, ...needs], minimize: true }) },
  })
  acknowledgePatterns(role, sources.configuration, rights)
  const reserved = sources.configuration.reservedConcurrency[spec.name]
  return new LambdaFunction(scope, spec.name, {
    functionName: sources.configuration.names.physical(spec.name),
    description: spec.summary,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: sources.codeOf(spec.name),
    handler: 'index.handler',
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: variablesOf(scope, sources.configuration, spec.needs),
    role: role.withoutPolicyUpdates(),
    logGroup,
    // Our lines are JSON already and stay as they are. Of its own, Lambda logs invocations that failed, not the start and
    // the end of each (Lambda guide, "Log-level filtering", read 2026-11-22): those lines would cost more than ours.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...(spec.layers ? { layers: spec.layers.map(sources.layerOf) } : {}),
    ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    ...(spec.recursiveLoop ? { recursiveLoop: spec.recursiveLoop } : {}),
  })
}

import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  type Code,
  type ILayerVersion,
  Function as LambdaFunction,
  LayerVersion,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { type LayerName, type Need, ofPlatformSecrets } from '../../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { arnsOf, statementsOf } from './grants.ts'
import type { Names } from './names.ts'
import { type Right, rightsOf, type Target } from './rights.ts'
import { goesInSteps, stepsIn } from './steps.ts'
import { variablesOf } from './variables.ts'

/** The layers that functions need, each created once. */
const makeLayers = (
  scope: Construct,
  names: Names,
  codeOf: (name: LayerName) => Code,
): ((name: LayerName) => ILayerVersion) => {
  const made = new Map<LayerName, ILayerVersion>()
  return (name) => {
    const layer =
      made.get(name) ??
      new LayerVersion(scope, `${name}-layer`, {
        layerVersionName: names.physical(name),
        description: `${name} for Lambda's platform`,
        code: codeOf(name),
        compatibleArchitectures: [Architecture.ARM_64],
        compatibleRuntimes: [Runtime.NODEJS_24_X],
      })
    made.set(name, layer)
    return layer
  }
}

/** Why the ARNs of some targets are patterns: the resources are created while the service runs. */
const reasons: { readonly [T in Target]?: string } = {
  'media-files': 'the names of uploaded files are not known before; other prefixes stay closed',
  'incoming-files': 'the names of uploads are not known in advance; public files have another prefix',
  'export-files': 'the names of archives are not known before; nothing else has their prefix',
  'index-files': 'the bucket holds nothing but index files, whose names are made while the service runs',
  'platform-secrets': 'each platform may get its secret at any time; the prefix holds nothing else',
  ...ofPlatformSecrets(
    () => 'the operator makes the secret at any time; Secrets Manager adds six characters to its name',
  ),
  'push-secrets': 'the operator makes the secret of a push provider at any time; the prefix holds nothing else',
  transcriptions: 'starting a job has no resource; the condition limits where its transcript goes',
  'transcription-jobs': 'the names of jobs are not known before; they begin with the name of the stage',
  'speech-key': 'the secret may be made at any time; its ARN ends with characters that are not known before',
  'text-model': 'an inference profile calls one model in the regions that it chooses',
  'text-key': 'the secret may be made at any time; its ARN ends with characters that are not known before',
  'stripe-secret': 'the operator makes the secret at any time; Secrets Manager adds six characters to its name',
  'mail-identity': 'the operator verifies an address or a domain in SES; the condition allows one sender',
  'schedule-group': 'the names of schedules are not known before; they are in a group of their own',
}

const asPart = (part: unknown) => (typeof part === 'string' ? part : `<${(part as { Ref: string }).Ref}>`)

/** A text with tokens as cdk-nag writes it in a finding. */
const asFinding = (stack: Stack, text: string): string => {
  const resolved = stack.resolve(text) as string | { 'Fn::Join': [string, unknown[]] }
  return typeof resolved === 'string' ? resolved : resolved['Fn::Join'][1].map(asPart).join('')
}

/** Tells cdk-nag about the patterns among the targets of a role's rights. */
const acknowledgePatterns = (role: Role, configuration: Configuration, rights: readonly Right[]): void => {
  for (const { resource } of rights) {
    const reason = reasons[resource]
    if (reason === undefined) continue
    for (const arn of arnsOf(role, configuration, resource)) {
      Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${asFinding(Stack.of(role), arn)}]`, reason })
    }
  }
}

/** A function as every endpoint and worker describes it. */
interface FunctionSpec {
  name: string
  summary: string
  needs: readonly Need[]
  /** Rights in addition to those of the needs. */
  rights?: readonly Right[]
  memoryMb: number
  timeoutSeconds: number
  layers?: readonly LayerName[]
  recursiveLoop?: RecursiveLoop
}

/** The location of the code of functions and layers. */
export interface FunctionCode {
  codeOf: (name: string) => Code
  layerCodeOf: (name: LayerName) => Code
}

/** The inputs of the functions of one stack. */
interface FunctionSources extends FunctionCode {
  configuration: Configuration
  /** A layer is a resource of the stack that uses it: its ARN changes with every version. */
  layerOf: (name: LayerName) => ILayerVersion
  /** The ARN of a function, or of its alias if it is released in steps. */
  live: (name: string, fn: LambdaFunction) => string
}

export const sourcesIn = (scope: Construct, configuration: Configuration, code: FunctionCode): FunctionSources => ({
  ...code,
  configuration,
  layerOf: makeLayers(scope, configuration.names, code.layerCodeOf),
  live: stepsIn(scope, configuration),
})

/** A log group, of the API or shared by the functions of one group of routes. */
export const makeLogGroup = (
  scope: Construct,
  { names }: Configuration,
  group: string,
  { retention = RetentionDays.ONE_MONTH, logGroupName = names.logGroup(group) } = {},
): LogGroup => {
  const logGroup = new LogGroup(scope, `${group}-logs`, {
    logGroupName,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  exceptFrom(
    logGroup,
    'encrypted by CloudWatch Logs; nothing in a log is a secret (test/every-route/rights.law.ts)',
    'CKV_AWS_158',
    'cloudwatch_log_group_encrypted_check',
  )
  exceptFrom(
    logGroup,
    'logs have addresses of people, and are kept for one to three months',
    'cloudwatch_log_group_retention_period_check',
  )
  return logGroup
}

const exceptFunction = (fn: LambdaFunction): void => {
  exceptFrom(fn, 'the CDK names its role in DependsOn as well as in a property', 'W3005')
  exceptFrom(
    fn,
    'a reserved share would take it from the others; queues and API Gateway have limits (infra/deploy/stacks/concurrency.ts)',
    'CKV_AWS_115',
  )
  exceptFrom(
    fn,
    'none is invoked asynchronously but the sweeper, whose next run does the work; queues have a dead-letter queue',
    'CKV_AWS_116',
  )
  exceptFrom(
    fn,
    'nothing it reaches is in a VPC, and a NAT gateway would cost more than the service',
    'CKV_AWS_117',
    'lambda_inside_vpc_check',
  )
  exceptFrom(fn, 'no variable is a secret; Lambda encrypts them with a key of its own', 'CKV_AWS_173')
}

const traceActions = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords']

/** One function with its own role, which holds only what its needs grant. Returns the ARN by which it is called. */
export const makeFunction = (
  scope: Construct,
  sources: FunctionSources,
  logGroup: LogGroup,
  spec: FunctionSpec,
): string => {
  const writeLogs = new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
  const rights = [...rightsOf(spec.needs), ...(spec.rights ?? [])]
  const needs = statementsOf(scope, sources.configuration, rights)
  const isTraced = sources.configuration.tracing !== 'off'
  const trace = isTraced ? [new PolicyStatement({ actions: traceActions, resources: ['*'] })] : []
  const role = new Role(scope, `${spec.name}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { needs: new PolicyDocument({ statements: [writeLogs, ...trace, ...needs], minimize: true }) },
  })
  acknowledgePatterns(role, sources.configuration, rights)
  if (isTraced) {
    Validations.of(role).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: 'a trace is no resource of IAM' })
  }
  const reserved = sources.configuration.reservedConcurrency[spec.name]
  const fn = new LambdaFunction(scope, spec.name, {
    functionName: sources.configuration.names.physical(spec.name),
    description: [spec.summary, goesInSteps(sources.configuration, spec.name) && sources.configuration.release]
      .filter(Boolean)
      .join(' '),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: sources.codeOf(spec.name),
    handler: 'index.handler',
    memorySize: spec.memoryMb,
    timeout: Duration.seconds(spec.timeoutSeconds),
    environment: variablesOf(scope, sources.configuration, spec.needs),
    // An alias that stays needs its version (infra/deploy/stacks/steps.ts).
    currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    role: role.withoutPolicyUpdates(),
    logGroup,
    // Our lines are already JSON and stay unchanged. By itself, Lambda logs invocations that failed, not the start and the
    // end of each (Lambda guide, "Log-level filtering", read 2026-11-22): those lines would cost more than ours.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
    ...(spec.layers ? { layers: spec.layers.map(sources.layerOf) } : {}),
    ...(isTraced ? { tracing: Tracing.ACTIVE } : {}),
    ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    ...(spec.recursiveLoop ? { recursiveLoop: spec.recursiveLoop } : {}),
  })
  exceptFunction(fn)
  return sources.live(spec.name, fn)
}

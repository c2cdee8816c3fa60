import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CfnOutput, type Stack, type Stage, Validations } from 'aws-cdk-lib'
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  DomainName,
  EndpointType,
  type IRestApi,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray'
import type { Construct } from 'constructs'
import type { Route } from '../../../functions/routes.ts'
import { gatewayBody } from '../../openapi/gateway.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { makeFirewall } from './firewall.ts'
import { makeLogGroup } from './functions.ts'
import { gatewayStage } from './names.ts'
import { referencesIn } from './references.ts'
import { makeStack } from './stack.ts'
import { goesInSteps, liveAlias } from './steps.ts'

/** Lets X-Ray trace a share of the calls. Without this rule it is 5 %, and the first one of each second. */
const traceCalls = (stack: Stack, { tracing, names }: Configuration, { deploymentStage }: SpecRestApi): void => {
  if (tracing === 'off') {
    exceptFrom(
      deploymentStage,
      'traces have a price; the id of a call is in every line of the log',
      'CKV_AWS_73',
      'api_gw_xray_enabled_check',
    )
    return
  }
  new CfnSamplingRule(stack, 'traces', {
    samplingRule: {
      ruleName: names.physical('api'),
      resourceArn: deploymentStage.stageArn,
      fixedRate: tracing,
      reservoirSize: 0,
      priority: 100,
      version: 1,
      serviceName: '*',
      serviceType: '*',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
    },
  })
}

/** The custom domain of `baseUrl`, without a stage in its paths; the operator creates the DNS record. */
const makeDomain = (scope: Construct, api: SpecRestApi, { baseUrl, certificateArn }: Configuration): void => {
  if (certificateArn === undefined) return
  const domain = new DomainName(scope, 'domain', {
    domainName: new URL(baseUrl).hostname,
    certificate: Certificate.fromCertificateArn(scope, 'certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
    // The CDK's own types disagree under exactOptionalPropertyTypes.
    mapping: api as IRestApi,
  })
  new CfnOutput(scope, 'domain-target', { value: domain.domainNameAliasDomainName })
}

// Never the raw path or a header: addresses may carry tokens.
const logFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: AccessLogField.contextRequestTimeEpoch(),
    requestId: AccessLogField.contextExtendedRequestId(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    ms: AccessLogField.contextResponseLatency(),
    waf: AccessLogField.contextWafStatus(),
  }),
)

/**
 * The role in which API Gateway calls the functions of the routes. A permission in the policy of each function would be a
 * resource each, and would go with the function when its stack is made again, while this stack stays unchanged.
 *
 * Its trust has no condition: API Gateway gives no source when it assumes the role of an integration
 * (https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/pull/479, read
 * 2026-11-26). Whoever makes an API with this role needs the right to pass it, which ends at the account.
 */
const makeCaller = (scope: Construct, roleName: string, functionArns: readonly string[]): Role => {
  const role = new Role(scope, 'caller', {
    roleName,
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: {
      call: new PolicyDocument({
        statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...functionArns] })],
      }),
    },
  })
  const reason = 'an ARN for each function would be longer than the policies of a role may be; workers have other names'
  for (const arn of functionArns) {
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${arn}]`, reason })
  }
  return role
}

/** Writes the OpenAPI document next to the templates. Inside a template, it would use most of the size limit. */
const writeBody = ({ outdir }: Stage, name: string, body: object): string => {
  const path = join(outdir, `${name}.json`)
  writeFileSync(path, JSON.stringify(body))
  return path
}

/** Puts the firewall in front of the API, unless the stage has none. */
const protect = (scope: Construct, configuration: Configuration, api: SpecRestApi) => {
  if (configuration.firewall === 'off') {
    const reason = 'the stage goes without a firewall; API Gateway throttles each method, the service each caller'
    Validations.of(api).acknowledge({ id: 'AwsSolutions-APIG3', reason })
    return
  }
  new CfnWebACLAssociation(scope, 'firewall-before-api', {
    webAclArn: makeFirewall(scope, configuration).attrArn,
    resourceArn: api.deploymentStage.stageArn,
  })
}

/** The REST API from our own document: its stage, limits, logs and firewall, and the role by which it calls functions. */
export const makeGateway = (app: Stage, configuration: Configuration, routes: readonly Route[]): Stack => {
  const { names } = configuration
  const stack = makeStack(app, configuration, 'gateway', {
    description: 'The REST API of the Social Publishing Service.',
  })
  const { partition, region } = stack
  const hasDomain = configuration.certificateArn !== undefined
  const { arnOf } = referencesIn(stack, configuration)
  const invokeUri = (arn: string) =>
    `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${arn}/invocations`
  const functionArnOf = (name: string) => arnOf('lambda', `function:${names.physical(name)}`)
  const groups = new Set(routes.map(({ group }) => group))
  // The account has one list of the names of roles, for all regions.
  const callerName = names.physical(`api-${region}`)
  const caller = makeCaller(
    stack,
    callerName,
    [...groups].map((group) => functionArnOf(`${group}-*`)),
  )
  const body = gatewayBody(
    configuration.baseUrl,
    routes.map((route) => ({
      route,
      functionArn: functionArnOf(goesInSteps(configuration, route.name) ? `${route.name}:${liveAlias}` : route.name),
    })),
    {
      invokeUri,
      callerArn: stack.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: callerName }),
    },
  )
  const accessLogs = makeLogGroup(stack, configuration, 'access', { retention: RetentionDays.THREE_MONTHS })
  const api = new SpecRestApi(stack, 'api', {
    restApiName: names.physical('api'),
    apiDefinition: ApiDefinition.fromAsset(writeBody(app, names.physical('api'), body)),
    endpointTypes: [EndpointType.REGIONAL],
    disableExecuteApiEndpoint: hasDomain,
    cloudWatchRole: true,
    deployOptions: {
      stageName: gatewayStage,
      throttlingRateLimit: configuration.apiThrottling.rate,
      throttlingBurstLimit: configuration.apiThrottling.burst,
      // Metrics of each method have a price each; those of the whole API are free, and the alarms read those.
      metricsEnabled: false,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      tracingEnabled: configuration.tracing !== 'off',
      accessLogDestination: new LogGroupLogDestination(accessLogs),
      accessLogFormat: logFormat,
    },
  })
  // It takes effect with the next deployment (API Gateway guide, "Disable the default endpoint for REST APIs").
  api.latestDeployment?.addToLogicalId({ hasDomain })
  // The document names the role, which no reference does.
  api.node.addDependency(caller)
  // API Gateway creates it for its errors when a stage exists, and keeps it forever.
  const executionLogs = makeLogGroup(stack, configuration, 'execution', {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${gatewayStage}`,
  })
  api.deploymentStage.node.addDependency(executionLogs)
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG2', reason: 'every function parses its input with the schemas of its contract' },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'API Gateway asks for this policy on the one logging role of the account',
    },
  )
  traceCalls(stack, configuration, api)
  exceptFrom(api.deploymentStage, 'a response belongs to its caller', 'CKV_AWS_120')
  protect(stack, configuration, api)
  makeDomain(stack, api, configuration)
  // The one of the CDK is the address that a custom domain disables.
  api.node.tryRemoveChild('Endpoint')
  new CfnOutput(stack, 'api-url', { value: hasDomain ? configuration.baseUrl : api.url })
  return stack
}

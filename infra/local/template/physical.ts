import { accountId, region } from './account.ts'

interface Kind {
  /** The property that names it; a resource without one gets a name of its stack and logical id. */
  name?: string
  arn?: (name: string) => string
  /** What Ref returns; the name by default. */
  ref?: 'arn' | 'url'
  /** What Fn::GetAtt returns in addition to Arn. */
  attributes?: Readonly<Record<string, (name: string) => string>>
}

const arn = (service: string, resource: string, account = accountId, inRegion = region) =>
  `arn:aws:${service}:${inRegion}:${account}:${resource}`

const table: Kind = { name: 'TableName', arn: (name) => arn('dynamodb', `table/${name}`) }

/** The resources that functions and wiring name (CloudFormation's resource reference, "Return values"). */
const kinds: Readonly<Record<string, Kind>> = {
  'AWS::ApiGateway::RestApi': { attributes: { RootResourceId: (name) => `${name}-root` } },
  'AWS::ApiGateway::Stage': { name: 'StageName' },
  'AWS::CloudFront::Distribution': { attributes: { DomainName: (name) => `${name}.cloudfront.invalid` } },
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::Events::EventBus': { name: 'Name', arn: (name) => arn('events', `event-bus/${name}`) },
  'AWS::Events::Rule': { name: 'Name', arn: (name) => arn('events', `rule/${name}`) },
  'AWS::IAM::Role': { name: 'RoleName', arn: (name) => arn('iam', `role/${name}`, accountId, '') },
  'AWS::KMS::Key': { arn: (name) => arn('kms', `key/${name}`) },
  'AWS::Lambda::Function': { name: 'FunctionName', arn: (name) => arn('lambda', `function:${name}`) },
  // Only its function names it: all have one alias (infra/deploy/stacks/steps.ts).
  'AWS::Lambda::Alias': { name: 'FunctionName', arn: (name) => arn('lambda', `function:${name}:live`), ref: 'arn' },
  'AWS::Logs::LogGroup': { name: 'LogGroupName', arn: (name) => arn('logs', `log-group:${name}:*`) },
  'AWS::S3::Bucket': {
    name: 'BucketName',
    arn: (name) => arn('s3', name, '', ''),
    attributes: { RegionalDomainName: (name) => `${name}.s3.${region}.amazonaws.com` },
  },
  'AWS::Scheduler::ScheduleGroup': { name: 'Name', arn: (name) => arn('scheduler', `schedule-group/${name}`) },
  'AWS::SecretsManager::Secret': { name: 'Name', arn: (name) => arn('secretsmanager', `secret:${name}`), ref: 'arn' },
  'AWS::SNS::Topic': { name: 'TopicName', arn: (name) => arn('sns', name), ref: 'arn' },
  'AWS::SQS::Queue': {
    name: 'QueueName',
    arn: (name) => arn('sqs', name),
    ref: 'url',
    attributes: { QueueName: (name) => name },
  },
}

/** The names of one resource. */
export interface Physical {
  name: string
  ref: string
  /** Throws for an attribute that the local service does not know. */
  attribute(attributeName: string): string
}

/** Names a resource; `given` is its name property, already resolved. */
export const namePhysical = ({
  stackName,
  id,
  type,
  given,
}: {
  stackName: string
  id: string
  type: string
  given: (property: string) => unknown
}): Physical => {
  const kind = kinds[type] ?? {}
  const named = kind.name === undefined ? undefined : given(kind.name)
  // The names of buckets are in lower case; it does no harm elsewhere.
  const name = typeof named === 'string' ? named : `${stackName}-${id}`.toLowerCase()
  const ownArn = kind.arn?.(name)
  // Functions find queues by a prefix, not by this address (service/environment.ts).
  const refs = { arn: ownArn ?? name, url: `https://sqs.${region}.amazonaws.com/${accountId}/${name}` }
  return {
    name,
    ref: kind.ref === undefined ? name : refs[kind.ref],
    attribute(attributeName) {
      const value = attributeName === 'Arn' ? ownArn : kind.attributes?.[attributeName]?.(name)
      if (value === undefined) throw new Error(`the local service knows no ${attributeName} of ${type} ${id}`)
      return value
    },
  }
}

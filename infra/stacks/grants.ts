import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { countKeys, incomingPrefix, indexes } from '../../shared/resources.ts'
import type { Configuration } from './configuration.ts'
import type { Data } from './data.ts'
import { physicalName, platformSecretsPrefix, publishers, scheduleGroup } from './names.ts'
import type { Right, Target } from './rights.ts'

/** What rights can be about, and where it is. */
export interface Grounds {
  data: Data
  configuration: Configuration
  scheduleRoleArn: string
}

const arnsOf = (scope: Construct, grounds: Grounds, target: Target): string[] => {
  const { table, bucket, dataKey, tokenKeys, indexBucket, vectors, bus } = grounds.data
  const { partition, region, account } = Stack.of(scope)
  const arn = (service: string, rest: string) => `arn:${partition}:${service}:${region}:${account}:${rest}`
  switch (target) {
    case 'table':
    case 'counters':
      return [table.tableArn]
    case 'indexes':
      return Object.values(indexes).map(({ name }) => `${table.tableArn}/index/${name}`)
    case 'media-bucket':
      return [bucket.bucketArn]
    case 'media-files':
      return [bucket.arnForObjects('media/*')]
    case 'incoming-files':
      return [bucket.arnForObjects(`${incomingPrefix}*`)]
    case 'index-bucket':
      return [indexBucket.bucketArn]
    case 'index-files':
      return [indexBucket.arnForObjects('*')]
    case 'vector-index':
      return vectors === undefined ? [] : [vectors.indexArn]
    case 'embedding-model':
      // Models are Amazon's own: their ARNs have no account.
      return vectors === undefined
        ? []
        : [`arn:${partition}:bedrock:${region}::foundation-model/${grounds.configuration.embeddingModel}`]
    case 'data-key':
      return [dataKey.keyArn]
    case 'token-keys':
      return [tokenKeys.secretArn]
    case 'platform-secrets':
      // Secrets Manager ends each ARN with six characters of its own.
      return publishers.map((id) => arn('secretsmanager', `secret:${platformSecretsPrefix}${id}-??????`))
    case 'schedule-group':
      return [arn('scheduler', `schedule/${scheduleGroup}/*`)]
    case 'schedule-role':
      return [grounds.scheduleRoleArn]
    case 'mail-identity':
      return [arn('ses', `identity/${grounds.configuration.mailFrom.split('@')[1]}`)]
    case 'event-bus':
      return [bus.eventBusArn]
    default:
      return [arn('sqs', physicalName(target.slice('queue:'.length)))]
  }
}

/** Rights that hold for some rows of a table only, by how their keys begin. */
const conditionsOf = (target: Target) =>
  target === 'counters' ? { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${countKeys}*`] } } : undefined

/** The rights as statements of a policy. */
export const statementsOf = (scope: Construct, grounds: Grounds, rights: readonly Right[]): PolicyStatement[] =>
  rights.flatMap(({ actions, resource }) => {
    const resources = arnsOf(scope, grounds, resource)
    // What this deployment does without, nobody is granted.
    if (resources.length === 0) return []
    const conditions = conditionsOf(resource)
    return new PolicyStatement({
      actions: [...actions],
      resources,
      ...(conditions === undefined ? {} : { conditions }),
    })
  })

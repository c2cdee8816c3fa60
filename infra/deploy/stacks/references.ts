import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Configuration } from './configuration.ts'
import type { ParameterName } from './names.ts'
import { readParameter } from './parameters.ts'

/** Everything that functions use from other stacks, as the stack of `scope` sees it: names and ARNs. */
export interface References {
  arnOf(service: string, resource: string): string
  /** The ARNs of a model that is called by its ID or by the ID of an inference profile. */
  textModelArnsOf(model: string): string[]
  tableName: string
  tableArn: string
  tableIndexArnOf(index: string): string
  mediaBucket: string
  mediaBucketArn: string
  mediaHost: string
  indexBucket: string
  indexBucketArn: string
  dataKeyArn: string
  tokenKeysArn: string
  scheduleRoleArn: string
  /** Undefined if the deployment puts no events on it. */
  eventBus: string | undefined
}

/** Reading a parameter declares it in the template, so each is read only where it is used. */
export const referencesIn = (scope: Construct, configuration: Configuration): References => {
  const stack = Stack.of(scope)
  const { names } = configuration
  const { partition, region, account } = stack
  const arnOf = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`
  const parameter = (name: ParameterName) => readParameter(stack, names, name)
  return {
    arnOf,
    textModelArnsOf(model) {
      // A profile calls the model in other regions too (Bedrock guide, "Prerequisites for inference profiles").
      const [, profiled] = /^(?:us-gov|us|eu|apac|jp|au|ca|global)\.(.+)$/.exec(model) ?? []
      // Models are Amazon's own: their ARNs have no account.
      if (profiled === undefined) return [`arn:${partition}:bedrock:${region}::foundation-model/${model}`]
      const everywhere = `arn:${partition}:bedrock:*::foundation-model/${profiled}`
      return [arnOf('bedrock', `inference-profile/${model}`), everywhere]
    },
    get tableName() {
      return parameter('table-name')
    },
    get tableArn() {
      return arnOf('dynamodb', `table/${this.tableName}`)
    },
    tableIndexArnOf(index) {
      return `${this.tableArn}/index/${index}`
    },
    get mediaBucket() {
      return parameter('media-bucket')
    },
    get mediaBucketArn() {
      return `arn:${partition}:s3:::${this.mediaBucket}`
    },
    get mediaHost() {
      return parameter('media-host')
    },
    get indexBucket() {
      return parameter('index-bucket')
    },
    get indexBucketArn() {
      return `arn:${partition}:s3:::${this.indexBucket}`
    },
    get dataKeyArn() {
      return parameter('data-key-arn')
    },
    get tokenKeysArn() {
      return parameter('token-keys-arn')
    },
    get scheduleRoleArn() {
      return parameter('schedule-role-arn')
    },
    eventBus: configuration.eventBus === 'on' ? names.physical('events') : undefined,
  }
}

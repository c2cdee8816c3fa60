import { CfnOutput, Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Key } from 'aws-cdk-lib/aws-kms'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { makeBucket } from './bucket.ts'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { makeMedia } from './media.ts'
import type { Names } from './names.ts'
import { storeParameter } from './parameters.ts'
import { makeStack } from './stack.ts'

/** The index files of memories, in a private bucket. */
const makeIndexBucket = (scope: Construct, logs: IBucket): IBucket =>
  makeBucket(scope, 'memory-indexes', {
    serverAccessLogsBucket: logs,
    serverAccessLogsPrefix: 'memory-indexes/',
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
  })

const makeTokenKeys = (scope: Construct) => {
  const secret = new Secret(scope, 'token-keys', {
    description: 'Keys of the check in every token; "npm run operator -- rotate-token-keys" rotates them.',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'current',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  })
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'tokens live for a year: an operator rotates the keys in steps, and decides when an old one goes',
  })
  exceptFrom(secret, 'encrypted with the key of the account for Secrets Manager', 'CKV_AWS_149')
  return secret
}

/** Other systems attach their rules to this bus, so it is retained when the rest is replaced. */
const makeBus = (scope: Construct, { physical }: Names): void => {
  const bus = new EventBus(scope, 'events', {
    eventBusName: physical('events'),
    description: 'What happens to posts and accounts, in the envelopes of webhooks.',
  })
  bus.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
  new CfnOutput(scope, 'event-bus-name', { value: bus.eventBusName })
  new CfnOutput(scope, 'event-bus-arn', { value: bus.eventBusArn })
}

const makeDataKey = (scope: Construct): Key => {
  const key = new Key(scope, 'data-key', {
    description: 'Encrypts the data key of each workspace.',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  })
  exceptFrom(
    key,
    'the account itself administers its keys; its policies say who may',
    'kms_create_grant_aws_service_check',
    'kms:* is no action',
  )
  exceptFrom(key, 'the policy of a key is about that key', 'kms:* is given *')
  return key
}

/** What outlives every deployment, in addition to the table: the files, the bus, and the keys that decrypt sealed values. */
export const makeData = (scope: Construct, configuration: Configuration): Stack => {
  const { names } = configuration
  const stack = makeStack(scope, configuration, 'data', {
    description: 'Files, keys, and the event bus of the Social Publishing Service.',
    terminationProtection: true,
  })
  const { bucket, logs, distribution } = makeMedia(stack)
  const indexBucket = makeIndexBucket(stack, logs)
  const tokenKeys = makeTokenKeys(stack)
  makeBus(stack, names)
  const dataKey = makeDataKey(stack)
  storeParameter(stack, names, 'media-bucket', bucket.bucketName)
  storeParameter(stack, names, 'media-host', distribution.distributionDomainName)
  storeParameter(stack, names, 'index-bucket', indexBucket.bucketName)
  storeParameter(stack, names, 'token-keys-arn', tokenKeys.secretArn)
  storeParameter(stack, names, 'data-key-arn', dataKey.keyArn)
  return stack
}

import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { specifiedLimits } from '../../shared/limits/limits.ts'
import type { Need, Variable } from '../../shared/resources.ts'
import type { Grounds } from './grants.ts'
import { physicalName, platformSecretsPrefix, scheduleGroup } from './names.ts'

const queues = ['QUEUE_URL_PREFIX'] as const
const media = ['MEDIA_BUCKET', 'MEDIA_URL'] as const
// Events and what became of them expire, for who writes them and for who reads them.
const table = ['TABLE_NAME', 'MEDIA_URL', 'EVENT_RETENTION_DAYS', 'QUOTAS'] as const
const search = ['MEMORY_SEARCH'] as const
const vectors = ['VECTOR_BUCKET', 'VECTOR_INDEX', 'EMBEDDING_DIMENSIONS'] as const
const platforms = ['PLATFORM_ORIGINS'] as const

const wanted: Readonly<Record<Need, readonly Variable[]>> = {
  'table:read': table,
  'table:write': table,
  count: ['TABLE_NAME', 'RATE_LIMITS'],
  'queue:prepare': queues,
  'queue:publish': queues,
  'queue:events': queues,
  'queue:deliver': queues,
  'queue:drain': queues,
  'queue:replay': queues,
  'queue:purge': queues,
  'queue:preview': queues,
  'queue:index': [...queues, ...search],
  'queue:depth': queues,
  schedule: [...queues, 'SCHEDULE_GROUP', 'SCHEDULE_ROLE_ARN'],
  'media:read': media,
  'media:write': media,
  'incoming:write': media,
  'incoming:take': media,
  'table:bulk': table,
  'table:purge': table,
  'media:purge': media,
  'index:read': ['INDEX_BUCKET'],
  'index:write': ['INDEX_BUCKET'],
  'index:purge': ['INDEX_BUCKET', ...search],
  embed: ['EMBEDDING_MODEL', 'EMBEDDING_DIMENSIONS', ...search],
  'vectors:query': vectors,
  'vectors:write': vectors,
  'vectors:purge': vectors,
  'kms:encrypt': ['DATA_KEY_ID'],
  // Credentials of accounts are sealed: who opens them speaks with platforms.
  'kms:decrypt': ['DATA_KEY_ID', ...platforms],
  'platform-secrets': ['PLATFORM_SECRETS_PREFIX', ...platforms],
  'token-keys': ['TOKEN_KEYS_SECRET'],
  mail: ['MAIL_FROM'],
  bus: ['EVENT_BUS_NAME'],
  origins: ['ALLOWED_ORIGINS'],
  files: ['FILES_FOLDER'],
}

const valuesOf = (scope: Construct, { data, configuration, scheduleRoleArn }: Grounds): Record<Variable, string> => {
  const { region, account, urlSuffix } = Stack.of(scope)
  return {
    TABLE_NAME: data.table.tableName,
    MEDIA_BUCKET: data.bucket.bucketName,
    MEDIA_URL: `https://${data.distribution.distributionDomainName}`,
    BASE_URL: configuration.baseUrl,
    DATA_KEY_ID: data.dataKey.keyArn,
    TOKEN_KEYS_SECRET: data.tokenKeys.secretArn,
    PLATFORM_SECRETS_PREFIX: platformSecretsPrefix,
    QUEUE_URL_PREFIX: `https://sqs.${region}.${urlSuffix}/${account}/${physicalName('')}`,
    SCHEDULE_GROUP: scheduleGroup,
    SCHEDULE_ROLE_ARN: scheduleRoleArn,
    MAIL_FROM: configuration.mailFrom,
    INDEX_BUCKET: data.indexBucket.bucketName,
    MEMORY_SEARCH: configuration.memorySearch,
    VECTOR_BUCKET: data.vectors?.bucketName ?? '',
    VECTOR_INDEX: data.vectors?.indexName ?? '',
    EMBEDDING_MODEL: configuration.embeddingModel,
    EMBEDDING_DIMENSIONS: String(configuration.embeddingDimensions),
    EVENT_BUS_NAME: data.bus.eventBusName,
    EVENT_RETENTION_DAYS: String(configuration.webhookRetentionDays),
    ALLOWED_ORIGINS: configuration.allowedOrigins ?? '',
    // Where Lambda unpacks a function.
    FILES_FOLDER: '/var/task',
    // The platforms' own.
    PLATFORM_ORIGINS: '{}',
    QUOTAS: JSON.stringify(configuration.quotas),
    RATE_LIMITS: JSON.stringify({ ...specifiedLimits, ...configuration.rateLimits }),
  }
}

/** The variables a function with these needs gets, and no others. */
export const variablesOf = (scope: Construct, grounds: Grounds, needs: readonly Need[]): Record<string, string> => {
  const values = valuesOf(scope, grounds)
  const names = new Set<Variable>(['BASE_URL', ...needs.flatMap((need) => wanted[need])])
  return Object.fromEntries([...names].sort().map((name) => [name, values[name]]))
}

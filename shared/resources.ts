/** The platforms of the service, in the order of test/specification; platforms/adapters.ts publishes to them. */
export const platformIds = [
  'x',
  'bluesky',
  'threads',
  'linkedin',
  'instagram',
  'tiktok',
  'facebook',
  'pinterest',
  'youtube',
  'reddit',
  'discord',
  'slack',
] as const

export type PlatformId = (typeof platformIds)[number]

/** Every environment variable a function may read; infra sets them, `context.ts` alone reads them. */
export const variables = [
  'TABLE_NAME',
  'MEDIA_BUCKET',
  'MEDIA_URL',
  'BASE_URL',
  'DATA_KEY_ID',
  'TOKEN_KEYS_SECRET',
  'PLATFORM_SECRETS_PREFIX',
  'QUEUE_URL_PREFIX',
  'SCHEDULE_GROUP',
  'SCHEDULE_ROLE_ARN',
  'MAIL_FROM',
  'ALLOWED_ORIGINS',
  'PLATFORM_ORIGINS',
  'FILES_FOLDER',
  'RATE_LIMITS',
  'QUOTAS',
  'INDEX_BUCKET',
  'MEMORY_SEARCH',
  'VECTOR_BUCKET',
  'VECTOR_INDEX',
  'EMBEDDING_MODEL',
  'EMBEDDING_DIMENSIONS',
  'EVENT_RETENTION_DAYS',
  'EVENT_BUS_NAME',
] as const

export type Variable = (typeof variables)[number]

/** The table's secondary indexes (publishing pipeline, rules 4 and 14). */
export const indexes = {
  account: { name: 'account', partition: 'accountKey', sort: 'accountSort' },
  status: { name: 'status', partition: 'statusKey', sort: 'id' },
  sweep: { name: 'sweep', partition: 'sweepShard', sort: 'sweepAtMs' },
  waiting: { name: 'waiting', partition: 'waitingKey', sort: 'id' },
} as const

export const sweepShards = 16

/** How the keys of rows begin that count calls; the right to write them is granted apart from the rest of the table. */
export const countKeys = 'RL#'

/** Files on their way in lie apart from those that are shown; rights are granted to each apart. */
export const incomingPrefix = 'incoming/'

export type QueueName =
  | 'prepare'
  | 'events'
  | 'deliver'
  | 'drain'
  | 'replay'
  | 'purge'
  | 'preview'
  | 'index'
  | `publish-${PlatformId}`

/** A function's memory where its contract names none. */
export const defaultMemoryMb = 512

/**
 * Lambda gives a whole vCPU at 1,769 MB (Lambda guide, "Configure memory", read 2026-11-21). It is for what computes, as
 * scrypt or the walk through an image does, or holds much: a search keeps up to 600 MB of index files.
 */
export const wholeProcessorMb = 1769

/** Libraries of native code, which no bundle can hold. */
export type LayerName = 'sharp'

/** What a function may touch; infra turns each word into rights and variables, nothing else is granted. */
export type Need =
  | 'table:read'
  | 'table:write'
  /** To count calls: a write to the rows of counters and to no others. */
  | 'count'
  | 'queue:prepare'
  | 'queue:publish'
  | 'queue:events'
  | 'queue:deliver'
  | 'queue:drain'
  | 'queue:replay'
  | 'queue:purge'
  | 'queue:preview'
  | 'queue:index'
  | 'queue:depth'
  | 'schedule'
  | 'media:read'
  | 'media:write'
  /** To let a file arrive. */
  | 'incoming:write'
  /** To look at a file that has arrived, and take it away. */
  | 'incoming:take'
  /** To lay many rows at once that nobody else can have laid. */
  | 'table:bulk'
  /** To remove whatever lies there, many at once. */
  | 'table:purge'
  | 'media:purge'
  /** The index files of memories. */
  | 'index:read'
  | 'index:write'
  | 'index:purge'
  /** To ask a model where a text lies among others, and to keep, find and forget such places. */
  | 'embed'
  | 'vectors:query'
  | 'vectors:write'
  | 'vectors:purge'
  | 'kms:encrypt'
  | 'kms:decrypt'
  | 'platform-secrets'
  | 'token-keys'
  | 'mail'
  /** To tell other systems in the account what has happened. */
  | 'bus'
  | 'origins'
  /** Files laid beside the bundle: the API document, the reference page's viewer. */
  | 'files'

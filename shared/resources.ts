/**
 * The platforms of the service: the specified ones in the order of test/specification, then extensions. platforms/adapters.ts
 * publishes to them.
 */
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
  'mastodon',
  'wordpress',
  'nostr',
] as const

export type PlatformId = (typeof platformIds)[number]

/** Every environment variable that a function can read; infra sets them, and only `context.ts` reads them. */
export const variables = [
  'TABLE_NAME',
  'MEDIA_BUCKET',
  'BUCKET_URL',
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
  'PLATFORM_API_ENDS',
  'FILES_FOLDER',
  'METRICS',
  'RATE_LIMITS',
  'QUOTAS',
  'AI_BUDGET_MICRO_USD',
  'AI_TEXT',
  'AI_SPEECH',
  'AI_SECRET',
  'BILLING',
  'STRIPE_SECRET',
  'STRIPE_ORIGIN',
  'INDEX_BUCKET',
  'EVENT_RETENTION_DAYS',
  'EVENT_BUS_NAME',
  'VAPID_PUBLIC_KEY',
  'EXPO_ORIGIN',
  'PUSH_SECRETS_PREFIX',
] as const

export type Variable = (typeof variables)[number]

/** The table's secondary indexes (publishing pipeline, rules 4 and 14). */
export const indexes = {
  account: { name: 'account', partition: 'accountKey', sort: 'id' },
  status: { name: 'status', partition: 'statusKey', sort: 'id' },
  sweep: { name: 'sweep', partition: 'sweepShard', sort: 'sweepAtMs' },
  /** The deliveries of an endpoint that wait, and the posts with an external id. */
  waiting: { name: 'waiting', partition: 'waitingKey', sort: 'id' },
  /** Posts by their times: the only rows with `scheduledAt`. Both keys are attributes that a post has anyway. */
  time: { name: 'time', partition: 'PK', sort: 'scheduledAt' },
} as const

export type IndexName = keyof typeof indexes

export const sweepShards = 16

/** The prefix of rows that count calls; the permission to write them is separate from the rest of the table. */
export const countKeys = 'RL#'

/** Uploads have a separate prefix from the files that are shown; permissions are granted for each prefix. */
export const incomingPrefix = 'incoming/'

/** Archives of workspaces have a prefix that no host serves. */
export const exportsPrefix = 'exports/'

export type QueueName =
  | 'prepare'
  | 'events'
  | 'deliver'
  | 'drain'
  | 'replay'
  | 'purge'
  | 'export'
  | 'import'
  | 'preview'
  | 'index'
  | 'notify'
  | 'ai'
  | 'billing'
  | `publish-${PlatformId}`

/** API Gateway waits 29 s for an endpoint's function; it must end, and its end must arrive, before that. */
export const endpointTimeoutSeconds = 28

/** The timeouts of the workers whose leases have separate lifecycles; those of `db/work.ts` declare theirs. */
export const timeoutSecondsOf = { drain: 45 } as const

/** A function's memory if its contract names none. */
export const defaultMemoryMb = 512

/**
 * Lambda provides a full vCPU at 1,769 MB (Lambda guide, "Configure memory", read 2026-11-21). For functions that compute,
 * such as scrypt or the inspection of an image, or need memory: a search holds up to 600 MB of index files.
 */
export const wholeProcessorMb = 1769

/** Native libraries, which a bundle cannot contain. */
export type LayerName = 'sharp'

/** The secrets of single platforms, for functions that call only them. */
export type PlatformSecret = `platform-secrets:${'discord' | 'pinterest' | 'reddit' | 'slack'}`

/** The same for each of them. */
export const ofPlatformSecrets = <T>(each: (secret: PlatformSecret) => T): Record<PlatformSecret, T> => ({
  'platform-secrets:discord': each('platform-secrets:discord'),
  'platform-secrets:pinterest': each('platform-secrets:pinterest'),
  'platform-secrets:reddit': each('platform-secrets:reddit'),
  'platform-secrets:slack': each('platform-secrets:slack'),
})

/** What a function may access; infra turns each name into permissions and variables, and grants nothing else. */
export type Need =
  | 'table:read'
  | 'table:write'
  /** To query a secondary index; the table itself comes with `table:read`. */
  | `query:${IndexName}`
  /** To count calls: writes to the counter rows only. */
  | 'count'
  | 'queue:prepare'
  | 'queue:publish'
  /** To start the processing of events: the relay, or the single delivery. */
  | 'queue:events'
  | 'queue:deliver'
  | 'queue:drain'
  | 'queue:replay'
  | 'queue:purge'
  | 'queue:export'
  | 'queue:import'
  | 'queue:preview'
  | 'queue:index'
  | 'queue:notify'
  | 'queue:ai'
  | 'queue:billing'
  | 'queue:depth'
  | 'schedule'
  | 'media:read'
  | 'media:write'
  /** To accept an uploaded file. */
  | 'incoming:write'
  /** To store a file as it arrives, in parts. */
  | 'incoming:stream'
  /** To inspect an uploaded file, and remove it. */
  | 'incoming:take'
  /** To delete many rows without conditions. */
  | 'table:purge'
  | 'media:purge'
  /** To create archives of workspaces, and delete them. */
  | 'export:write'
  /** To sign download links of archives. */
  | 'export:read'
  | 'export:purge'
  /** The index files of memories. */
  | 'index:read'
  | 'index:write'
  | 'index:purge'
  /** To know which models write texts and transcribe speech. */
  | 'ai:text-settings'
  | 'ai:speech-settings'
  /** To transcribe files of the media bucket. */
  | 'ai:speech'
  /** To call the model that writes texts. */
  | 'ai:text'
  | 'kms:encrypt'
  | 'kms:decrypt'
  /** The keys of people, which open second factors; those above are of workspaces. */
  | 'kms:encrypt:person'
  | 'kms:decrypt:person'
  /** The keys of the apps at servers that people name (platforms/server-app.ts). */
  | 'kms:encrypt:server'
  | 'kms:decrypt:server'
  /** To call the public routes of platforms. */
  | 'platforms'
  | 'platform-secrets'
  /** The app of one platform only. */
  | PlatformSecret
  | 'token-keys'
  | 'mail'
  /** Which push providers are configured. */
  | 'push-providers'
  /** To send messages by them. */
  | 'push'
  /** To publish events to other systems in the account. */
  | 'bus'
  | 'origins'
  /** The AI budget of a workspace whose plan sets none. */
  | 'ai-budget'
  /** Which plans are sold at which prices. */
  | 'billing'
  /** To call Stripe, and to verify its events. */
  | 'stripe'
  /** Files deployed with the bundle: the API document, the script of the API reference. */
  | 'files'

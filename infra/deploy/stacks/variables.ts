import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { specifiedLimits } from '../../../shared/limits/limits.ts'
import { type Need, ofPlatformSecrets, type Variable } from '../../../shared/resources.ts'
import { aiSpeech, aiText } from './ai.ts'
import type { Configuration } from './configuration.ts'
import { referencesIn } from './references.ts'

const queues = ['QUEUE_URL_PREFIX'] as const
const media = ['MEDIA_BUCKET', 'MEDIA_URL'] as const
// Who signs addresses for clients.
const presigned = [...media, 'BUCKET_URL'] as const
// Writers and readers of events and deliveries need the retention.
const table = ['TABLE_NAME', 'MEDIA_URL', 'EVENT_RETENTION_DAYS', 'QUOTAS', 'PLATFORM_API_ENDS'] as const
const push = ['VAPID_PUBLIC_KEY', 'EXPO_ORIGIN', 'ALLOWED_ORIGINS'] as const
const platforms = ['PLATFORM_ORIGINS', 'PLATFORM_API_ENDS'] as const
const platformApps = ['PLATFORM_SECRETS_PREFIX', ...platforms] as const

const variablesByNeed: Readonly<Record<Need, readonly Variable[]>> = {
  'table:read': table,
  'table:write': table,
  'query:account': table,
  'query:status': table,
  'query:sweep': table,
  'query:waiting': table,
  'query:time': table,
  count: ['TABLE_NAME', 'RATE_LIMITS'],
  'queue:prepare': queues,
  'queue:publish': queues,
  'queue:events': [...queues, 'EVENT_BUS_NAME'],
  'queue:deliver': queues,
  'queue:drain': queues,
  'queue:replay': queues,
  'queue:purge': queues,
  'queue:export': queues,
  'queue:import': queues,
  'queue:preview': queues,
  'queue:billing': queues,
  'queue:index': queues,
  'queue:notify': queues,
  'queue:ai': queues,
  'queue:depth': queues,
  schedule: [...queues, 'SCHEDULE_GROUP', 'SCHEDULE_ROLE_ARN'],
  'media:read': media,
  'media:write': media,
  'incoming:write': presigned,
  'incoming:stream': media,
  'incoming:take': media,
  'table:purge': table,
  'media:purge': media,
  'export:write': media,
  'export:read': presigned,
  'export:purge': media,
  'index:read': ['INDEX_BUCKET'],
  'index:write': ['INDEX_BUCKET'],
  'index:purge': ['INDEX_BUCKET'],
  'kms:encrypt': ['DATA_KEY_ID'],
  // Credentials of accounts are sealed: who opens them speaks with platforms.
  'kms:decrypt': ['DATA_KEY_ID', ...platforms],
  'kms:encrypt:person': ['DATA_KEY_ID'],
  'kms:decrypt:person': ['DATA_KEY_ID'],
  'kms:encrypt:server': ['DATA_KEY_ID'],
  'kms:decrypt:server': ['DATA_KEY_ID'],
  platforms,
  'platform-secrets': platformApps,
  ...ofPlatformSecrets(() => platformApps),
  'token-keys': ['TOKEN_KEYS_SECRET'],
  'push-providers': push,
  push: [...push, 'PUSH_SECRETS_PREFIX', 'MAIL_FROM'],
  mail: ['MAIL_FROM'],
  bus: ['EVENT_BUS_NAME'],
  origins: ['ALLOWED_ORIGINS'],
  'ai:text-settings': ['AI_TEXT'],
  'ai:speech-settings': ['AI_SPEECH'],
  'ai:speech': ['AI_SPEECH', 'AI_SECRET', ...media],
  'ai:text': ['AI_TEXT', 'AI_SECRET'],
  'ai-budget': ['AI_BUDGET_MICRO_USD'],
  billing: ['BILLING'],
  stripe: ['STRIPE_SECRET', 'STRIPE_ORIGIN'],
  // The policy of the console names the hosts of the files (shared/pages/console-file.ts).
  files: ['FILES_FOLDER', 'MEDIA_URL', 'BUCKET_URL', 'PLATFORM_API_ENDS'],
}

/** The prices of each plan, and the days of grace (shared/plans/provider.ts). */
const billingOf = ({ stripePrices, pastDueGraceDays, newWorkspaces }: Configuration) => ({
  prices: Object.fromEntries(Object.entries(stripePrices).map(([plan, prices]) => [plan, [prices].flat()])),
  graceDays: pastDueGraceDays,
  newWorkspaces,
})

const valuesOf = (scope: Construct, configuration: Configuration): Record<Variable, () => string> => {
  const { region, account, urlSuffix } = Stack.of(scope)
  const { names } = configuration
  const references = referencesIn(scope, configuration)
  return {
    TABLE_NAME: () => references.tableName,
    MEDIA_BUCKET: () => references.mediaBucket,
    MEDIA_URL: () => `https://${references.mediaHost}`,
    BUCKET_URL: () => `https://${references.mediaBucket}.s3.${region}.${urlSuffix}`,
    BASE_URL: () => configuration.baseUrl,
    DATA_KEY_ID: () => references.dataKeyArn,
    TOKEN_KEYS_SECRET: () => references.tokenKeysArn,
    PLATFORM_SECRETS_PREFIX: () => names.platformSecretsPrefix,
    QUEUE_URL_PREFIX: () => `https://sqs.${region}.${urlSuffix}/${account}/${names.physical('')}`,
    SCHEDULE_GROUP: () => names.scheduleGroup,
    SCHEDULE_ROLE_ARN: () => references.scheduleRoleArn,
    MAIL_FROM: () => configuration.mailFrom,
    INDEX_BUCKET: () => references.indexBucket,
    EVENT_BUS_NAME: () => references.eventBus ?? '',
    EVENT_RETENTION_DAYS: () => String(configuration.webhookRetentionDays),
    VAPID_PUBLIC_KEY: () => configuration.vapidPublicKey ?? '',
    EXPO_ORIGIN: () => (configuration.expoPush === 'on' ? 'https://exp.host' : ''),
    PUSH_SECRETS_PREFIX: () => names.pushSecretsPrefix,
    ALLOWED_ORIGINS: () => configuration.allowedOrigins ?? '',
    // Where Lambda unpacks a function.
    FILES_FOLDER: () => '/var/task',
    // The platforms' own.
    PLATFORM_ORIGINS: () => '{}',
    PLATFORM_API_ENDS: () => JSON.stringify(configuration.platformApiEnds),
    AI_TEXT: () => JSON.stringify(aiText(configuration)),
    AI_SPEECH: () => JSON.stringify(aiSpeech(configuration)),
    AI_SECRET: () => names.aiSecret,
    AI_BUDGET_MICRO_USD: () => String(configuration.aiBudgetMicroUsd ?? ''),
    BILLING: () => JSON.stringify(billingOf(configuration)),
    STRIPE_SECRET: () => names.stripeSecret,
    STRIPE_ORIGIN: () => 'https://api.stripe.com',
    QUOTAS: () => JSON.stringify(configuration.quotas),
    METRICS: () =>
      JSON.stringify({ namespace: names.metricNamespace, byPlatform: configuration.platformMetrics === 'on' }),
    RATE_LIMITS: () => JSON.stringify({ ...specifiedLimits, ...configuration.rateLimits }),
  }
}

/** The variables a function with these needs gets, and no others. */
export const variablesOf = (
  scope: Construct,
  configuration: Configuration,
  needs: readonly Need[],
): Record<string, string> => {
  const values = valuesOf(scope, configuration)
  const names = new Set<Variable>(['BASE_URL', 'METRICS', ...needs.flatMap((need) => variablesByNeed[need])])
  return Object.fromEntries([...names].sort().map((name) => [name, values[name]()]))
}

import type { Access } from '../../../shared/access/access.ts'
import { limitNameOf } from '../../../shared/access/rate-limit.ts'
import type { Contract } from '../../../shared/http/contract.ts'
import {
  type IndexName,
  type Need,
  ofPlatformSecrets,
  type PlatformSecret,
  type QueueName,
} from '../../../shared/resources.ts'
import { publishQueues, queueNames } from './names.ts'

/** The target of a right; `grants.ts` knows the ARNs. */
export type Target =
  | 'table'
  | `table-index:${IndexName}`
  /** The table's rows that count calls. */
  | 'counters'
  | 'media-bucket'
  /** The bucket of files, to list objects below the prefixes of files. */
  | 'media-listing'
  | 'media-files'
  /** Files that have arrived and were not looked at yet. */
  | 'incoming-files'
  /** Archives of workspaces. */
  | 'export-files'
  | 'index-bucket'
  | 'index-files'
  /** The model that writes texts, if it is one of Amazon Bedrock. */
  | 'text-model'
  /** The secret with the API keys of AI providers, if one is used that needs a key. */
  | 'text-key'
  /** New jobs of Amazon Transcribe, and those of this deployment, if it is used. */
  | 'transcriptions'
  | 'transcription-jobs'
  /** The secret with the API keys of AI providers, if one transcribes. */
  | 'speech-key'
  /** The key of the deployment, for the data keys of workspaces, of people, or of servers. */
  | 'data-key'
  | 'data-key:person'
  | 'data-key:server'
  | 'token-keys'
  | 'platform-secrets'
  | PlatformSecret
  | 'push-secrets'
  | 'stripe-secret'
  | 'schedule-group'
  | 'schedule-role'
  | 'mail-identity'
  | 'event-bus'
  | `queue:${QueueName}`

/** Actions of IAM on one target. */
export interface Right {
  actions: readonly string[]
  resource: Target
}

const on = (resource: Target, ...actions: readonly string[]): Right => ({ actions, resource })
const sendTo = (queue: QueueName) => on(`queue:${queue}`, 'sqs:SendMessage')

const granted: Readonly<Record<Need, readonly Right[]>> = {
  'table:read': [on('table', 'dynamodb:BatchGetItem', 'dynamodb:Query')],
  'query:account': [on('table-index:account', 'dynamodb:Query')],
  'query:status': [on('table-index:status', 'dynamodb:Query')],
  'query:sweep': [on('table-index:sweep', 'dynamodb:Query')],
  'query:waiting': [on('table-index:waiting', 'dynamodb:Query')],
  'query:time': [on('table-index:time', 'dynamodb:Query')],
  // A transaction is authorized as the writes in it.
  'table:write': [
    on('table', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'),
  ],
  count: [on('counters', 'dynamodb:UpdateItem')],
  'queue:prepare': [sendTo('prepare')],
  'queue:publish': publishQueues.map(sendTo),
  'queue:events': [sendTo('events'), sendTo('deliver')],
  'queue:deliver': [sendTo('deliver')],
  'queue:drain': [sendTo('drain')],
  'queue:replay': [sendTo('replay')],
  'queue:purge': [sendTo('purge')],
  'queue:export': [sendTo('export')],
  'queue:import': [sendTo('import')],
  'queue:preview': [sendTo('preview')],
  'queue:index': [sendTo('index')],
  'queue:notify': [sendTo('notify')],
  'queue:ai': [sendTo('ai')],
  'queue:billing': [sendTo('billing')],
  'queue:depth': queueNames.map((queue) => on(`queue:${queue}`, 'sqs:GetQueueAttributes')),
  schedule: [on('schedule-group', 'scheduler:CreateSchedule'), on('schedule-role', 'iam:PassRole')],
  // Without the right to list, S3 returns 403 instead of 404 for a missing file.
  'media:read': [on('media-files', 's3:GetObject'), on('media-bucket', 's3:ListBucket')],
  'media:write': [on('media-files', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload')],
  'incoming:write': [on('incoming-files', 's3:PutObject')],
  'incoming:stream': [on('incoming-files', 's3:PutObject', 's3:AbortMultipartUpload')],
  // The right to list, without which a missing object is an error 403, comes with `media:read`.
  'incoming:take': [on('incoming-files', 's3:GetObject', 's3:DeleteObject')],
  'table:purge': [on('table', 'dynamodb:BatchWriteItem')],
  'media:purge': [
    on('media-files', 's3:DeleteObject'),
    on('incoming-files', 's3:DeleteObject'),
    on('media-listing', 's3:ListBucket'),
  ],
  // The right to list comes with `media:read`.
  'export:write': [
    on('export-files', 's3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'),
    on('media-bucket', 's3:ListBucketMultipartUploads'),
  ],
  'export:read': [on('export-files', 's3:GetObject')],
  'export:purge': [
    on('export-files', 's3:DeleteObject', 's3:AbortMultipartUpload'),
    on('media-bucket', 's3:ListBucketMultipartUploads'),
  ],
  'index:read': [on('index-files', 's3:GetObject'), on('index-bucket', 's3:ListBucket')],
  'index:write': [on('index-files', 's3:PutObject')],
  'index:purge': [on('index-files', 's3:DeleteObject'), on('index-bucket', 's3:ListBucket')],
  'ai:text-settings': [],
  'ai:speech-settings': [],
  // Starting has no resource: the table of actions names no resource type for it (service authorization reference, "Actions,
  // resources, and condition keys for Amazon Transcribe"; the Transcribe guide's policy for StartTranscriptionJob has
  // "Resource": "*", "Using identity-based policies"; both read 2026-11-23). The condition limits where the transcript is
  // written. Transcribe reads and writes the files with the rights of its caller.
  'ai:speech': [
    on('transcriptions', 'transcribe:StartTranscriptionJob'),
    on('transcription-jobs', 'transcribe:GetTranscriptionJob', 'transcribe:DeleteTranscriptionJob'),
    on('speech-key', 'secretsmanager:GetSecretValue'),
    on('media-files', 's3:GetObject'),
    on('incoming-files', 's3:GetObject', 's3:PutObject', 's3:DeleteObject'),
    on('media-bucket', 's3:ListBucket'),
  ],
  // Converse is authorized as InvokeModel (Bedrock API, Converse, read 2026-11-23).
  'ai:text': [on('text-model', 'bedrock:InvokeModel'), on('text-key', 'secretsmanager:GetSecretValue')],
  'kms:encrypt': [on('data-key', 'kms:GenerateDataKeyWithoutPlaintext')],
  'kms:decrypt': [on('data-key', 'kms:Decrypt')],
  'kms:encrypt:person': [on('data-key:person', 'kms:GenerateDataKeyWithoutPlaintext')],
  'kms:decrypt:person': [on('data-key:person', 'kms:Decrypt')],
  'kms:encrypt:server': [on('data-key:server', 'kms:GenerateDataKeyWithoutPlaintext')],
  'kms:decrypt:server': [on('data-key:server', 'kms:Decrypt')],
  platforms: [],
  'platform-secrets': [on('platform-secrets', 'secretsmanager:GetSecretValue')],
  ...ofPlatformSecrets((secret) => [on(secret, 'secretsmanager:GetSecretValue')]),
  'token-keys': [on('token-keys', 'secretsmanager:GetSecretValue')],
  'push-providers': [],
  push: [on('push-secrets', 'secretsmanager:GetSecretValue')],
  mail: [on('mail-identity', 'ses:SendEmail')],
  bus: [on('event-bus', 'events:PutEvents')],
  origins: [],
  'ai-budget': [],
  billing: [],
  stripe: [on('stripe-secret', 'secretsmanager:GetSecretValue')],
  files: [],
}

/** What the needs of a function allow it to do; everything else is denied. */
export const rightsOf = (needs: readonly Need[]): Right[] => [...new Set(needs)].flatMap((need) => granted[need])

/** What Lambda needs to poll the queues of a worker (SQS guide, "Configuring an Amazon SQS queue to trigger a Lambda function"). */
export const drainRights = (queues: readonly QueueName[]): Right[] =>
  queues.map((queue) => on(`queue:${queue}`, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'))

/** The needs of a route: those of its handler, those of authentication, and that of counting the call. */
export const needsOf = (contract: Pick<Contract<Access>, 'access' | 'needs' | 'limit' | 'method' | 'path'>): Need[] => [
  ...new Set<Need>([
    ...contract.needs,
    ...(contract.access.kind === 'anyone' ? [] : (['table:read', 'token-keys'] as const)),
    ...(limitNameOf(contract) === 'none' ? [] : (['count'] as const)),
  ]),
]

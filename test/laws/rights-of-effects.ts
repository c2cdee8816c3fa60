import type { Right, Target } from '../../infra/stacks/rights.ts'
import type { Effect } from '../../shared/context.ts'
import { countKeys, platformIds, type Variable } from '../../shared/resources.ts'

const on = (resource: Target, ...names: readonly string[]): Right[] => [{ actions: names, resource }]

/** Each write of a transaction is authorised as the call that would make it alone; which ones it held is not recorded. */
const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem']

const secretOf = (id: string, env: (name: Variable) => string): Target => {
  if (id === env('TOKEN_KEYS_SECRET')) return 'token-keys'
  if (id.startsWith(env('PLATFORM_SECRETS_PREFIX'))) return 'platform-secrets'
  throw new Error(`nobody is granted the secret ${id}`)
}

// The port to the queues takes no names but those of our queues.
const queueOf = ({ resource }: Effect) => `queue:${resource}` as Target

const filesOf = ({ resource }: Effect): Target => {
  if (resource === 'index') return 'index-files'
  return resource === 'incoming' ? 'incoming-files' : 'media-files'
}

const takes: Readonly<Record<string, (effect: Effect, env: (name: Variable) => string) => Right[]>> = {
  'dynamodb BatchGetItem': () => on('table', 'dynamodb:BatchGetItem'),
  'dynamodb Query': () => on('table', 'dynamodb:Query'),
  'dynamodb PutItem': () => on('table', 'dynamodb:PutItem'),
  'dynamodb UpdateItem': ({ resource }) =>
    on(resource.endsWith(`/${countKeys}`) ? 'counters' : 'table', 'dynamodb:UpdateItem'),
  'dynamodb BatchWriteItem': () => on('table', 'dynamodb:BatchWriteItem'),
  'dynamodb TransactWriteItems': () => on('table', ...writes),
  'sqs SendMessage': (effect) => on(queueOf(effect), 'sqs:SendMessage'),
  'sqs GetQueueAttributes': (effect) => on(queueOf(effect), 'sqs:GetQueueAttributes'),
  'scheduler CreateSchedule': () => [
    ...on('schedule-group', 'scheduler:CreateSchedule'),
    ...on('schedule-role', 'iam:PassRole'),
  ],
  's3 GetObject': (effect) => on(filesOf(effect), 's3:GetObject'),
  's3 HeadObject': (effect) => [...on(filesOf(effect), 's3:GetObject'), ...on('media-bucket', 's3:ListBucket')],
  's3 PutObject': (effect) => on(filesOf(effect), 's3:PutObject'),
  // Files are copied from where they arrive to where they stay, and nowhere else.
  's3 CopyObject': (effect) => [...on(filesOf(effect), 's3:PutObject'), ...on('incoming-files', 's3:GetObject')],
  's3 ListObjectsV2': ({ resource }) => on(resource === 'index' ? 'index-bucket' : 'media-bucket', 's3:ListBucket'),
  's3 DeleteObjects': (effect) => on(filesOf(effect), 's3:DeleteObject'),
  's3 DeleteObject': (effect) => on(filesOf(effect), 's3:DeleteObject'),
  'kms GenerateDataKeyWithoutPlaintext': () => on('data-key', 'kms:GenerateDataKeyWithoutPlaintext'),
  'kms Decrypt': () => on('data-key', 'kms:Decrypt'),
  'secretsmanager GetSecretValue': ({ resource }, env) => on(secretOf(resource, env), 'secretsmanager:GetSecretValue'),
  'bedrock InvokeModel': () => on('embedding-model', 'bedrock:InvokeModel'),
  's3vectors PutVectors': () => on('vector-index', 's3vectors:PutVectors'),
  // A query with a filter reads what is filtered by.
  's3vectors QueryVectors': () => on('vector-index', 's3vectors:QueryVectors', 's3vectors:GetVectors'),
  's3vectors DeleteVectors': () => on('vector-index', 's3vectors:DeleteVectors'),
  'events PutEvents': () => on('event-bus', 'events:PutEvents'),
  'ses SendEmail': () => on('mail-identity', 'ses:SendEmail'),
}

/** Calls of others than AWS. */
const outside = new Set<string>([...platformIds, 'webhook'])

/** The rights that AWS asks of the caller for an effect; none for calls to platforms and receivers. */
export const rightsTaken = (effect: Effect, env: (name: Variable) => string): Right[] => {
  if (outside.has(effect.service)) return []
  const taken = takes[`${effect.service} ${effect.action}`]
  if (taken === undefined) throw new Error(`which right does ${effect.service} ${effect.action} take?`)
  return taken(effect, env)
}

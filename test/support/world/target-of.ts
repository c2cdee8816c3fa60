import type { Target } from '../../../infra/deploy/stacks/rights.ts'
import type { Access } from '../../../infra/local/iam/access.ts'
import { countKeys, exportsPrefix, incomingPrefix, type Variable } from '../../../shared/resources.ts'

type Env = (name: Variable) => string

const ofTable = ({ resource, context }: Access): string => {
  const [, index] = /\/index\/(\w+)$/.exec(resource) ?? []
  if (index !== undefined) return `table-index:${index}`
  const keys = context?.['dynamodb:leadingkeys'] ?? []
  return keys.length > 0 && keys.every((key) => key.startsWith(countKeys)) ? 'counters' : 'table'
}

const ofBucket = ({ resource }: Access, env: Env): string => {
  const [bucket = '', key] = resource.slice('arn:aws:s3:::'.length).split(/\/(.*)/s)
  const owner = bucket === env('INDEX_BUCKET') ? 'index' : 'media'
  if (key === undefined) return `${owner}-bucket`
  if (key.startsWith(exportsPrefix)) return 'export-files'
  return key.startsWith(incomingPrefix) ? 'incoming-files' : `${owner}-files`
}

const ofSecret = ({ resource }: Access, env: Env): string => {
  if (resource === env('TOKEN_KEYS_SECRET')) return 'token-keys'
  if (resource.includes(`:secret:${env('AI_SECRET')}`)) return 'text-key'
  if (resource.includes(env('STRIPE_SECRET'))) return 'stripe-secret'
  return resource.includes(env('PUSH_SECRETS_PREFIX')) ? 'push-secrets' : 'platform-secrets'
}

const ofDataKey = ({ context = {} }: Access): Target => {
  if ('kms:encryptioncontext:serverid' in context) return 'data-key:server'
  return 'kms:encryptioncontext:userid' in context ? 'data-key:person' : 'data-key'
}

const others: Readonly<Record<string, string>> = {
  bedrock: 'text-model',
  events: 'event-bus',
  iam: 'schedule-role',
  scheduler: 'schedule-group',
  ses: 'mail-identity',
}

/** The target of rights.ts that an access was about; undefined for what every function may do, as write its logs. */
export const targetOf = (access: Access, env: Env): Target | undefined => {
  const [, , service = '', , , name = ''] = access.resource.split(':')
  if (service === 'dynamodb') return ofTable(access) as Target
  if (service === 's3') return ofBucket(access, env) as Target
  if (service === 'secretsmanager') return ofSecret(access, env) as Target
  if (service === 'kms') return ofDataKey(access)
  if (access.resource === '*') return 'transcriptions'
  if (service === 'transcribe') return 'transcription-jobs'
  if (service === 'sqs') return `queue:${name.replace(/^social-local-/, '')}` as Target
  return others[service] as Target | undefined
}

import { platformIds, type QueueName } from '../../../shared/resources.ts'

/** The address of the local service in its templates; it inserts the address that it listens on. */
export const localBaseUrl = 'http://127.0.0.1:3000'

export const publishQueues: readonly QueueName[] = platformIds.map((platform) => `publish-${platform}` as const)

/** Every queue of the pipeline. */
export const queueNames: readonly QueueName[] = [
  'prepare',
  'events',
  'deliver',
  'drain',
  'replay',
  'purge',
  'export',
  'import',
  'preview',
  'index',
  'notify',
  'ai',
  'billing',
  ...publishQueues,
]

/** `page`: users notice, or will within the hour. `ticket`: someone looks at it on the next working day. */
export const severities = ['page', 'ticket'] as const
export type Severity = (typeof severities)[number]

/** The values that one stack stores in Parameter Store for the others: names that CloudFormation generates. */
export type ParameterName =
  | 'table-name'
  | 'media-bucket'
  | 'media-host'
  | 'index-bucket'
  | 'data-key-arn'
  | 'token-keys-arn'
  | 'schedule-role-arn'

/**
 * The names of one stage in an account. Stacks find each other's resources by these names, or by parameters, and never by
 * exports: CloudFormation rejects a change to an export that is in use.
 */
export interface Names {
  stack(name: string): string
  /** A queue, a function, a layer, the event bus, or the API. */
  physical(name: string): string
  /** The one dead-letter queue. Each of its messages names its source (`DeadLetterQueueSourceArn`). */
  deadLetters: string
  parameter(name: ParameterName): string
  logGroup(group: string): string
  scheduleGroup: string
  /** Secrets of platform apps: this and the platform's id. */
  platformSecretsPrefix: string
  /** Secrets of push providers: this and the name of the provider. */
  pushSecretsPrefix: string
  /** The secret with the API keys of AI providers. */
  aiSecret: string
  /** The secret with the operator's keys at Stripe. */
  stripeSecret: string
  /** Of metrics from log lines. */
  metricNamespace: string
}

export const namesOf = (stage: string): Names => {
  const prefix = `social-${stage}`
  const physical = (name: string) => `${prefix}-${name}`
  return {
    stack: physical,
    physical,
    deadLetters: physical('dead-letters'),
    parameter: (name) => `/social/${stage}/${name}`,
    logGroup: (group) => `/social/${stage}/${group}`,
    scheduleGroup: prefix,
    platformSecretsPrefix: `social/${stage}/platforms/`,
    pushSecretsPrefix: `social/${stage}/push/`,
    aiSecret: `social/${stage}/ai`,
    stripeSecret: `social/${stage}/stripe`,
    metricNamespace: `Social/${stage}`,
  }
}

/** The one stage of the REST API: the first part of its paths, except on the custom domain. */
export const gatewayStage = 'live'

/** The stage of a service on this machine. */
export const localStage = 'local'
export const localNames = namesOf(localStage)

import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { countKeys, exportsPrefix, incomingPrefix } from '../../../shared/resources.ts'
import { textModelOf } from './ai.ts'
import type { Configuration } from './configuration.ts'
import { referencesIn } from './references.ts'
import type { Right, Target } from './rights.ts'

/** The ARNs of a target, as the stack of `scope` sees them; none for parts that this deployment does not use. */
export const arnsOf = (scope: Construct, configuration: Configuration, target: Target): string[] => {
  const { names, stripePrices } = configuration
  const references = referencesIn(scope, configuration)
  const { arnOf } = references
  switch (target) {
    case 'table':
    case 'counters':
      return [references.tableArn]
    case 'table-index:account':
    case 'table-index:status':
    case 'table-index:sweep':
    case 'table-index:waiting':
    case 'table-index:time':
      return [references.tableIndexArnOf(target.slice('table-index:'.length))]
    case 'media-bucket':
    case 'media-listing':
      return [references.mediaBucketArn]
    case 'media-files':
      return [`${references.mediaBucketArn}/media/*`]
    case 'incoming-files':
      return [`${references.mediaBucketArn}/${incomingPrefix}*`]
    case 'export-files':
      return [`${references.mediaBucketArn}/${exportsPrefix}*`]
    case 'index-bucket':
      return [references.indexBucketArn]
    case 'index-files':
      return [`${references.indexBucketArn}/*`]
    case 'text-model':
      return configuration.aiText === 'bedrock' ? references.textModelArnsOf(textModelOf(configuration)) : []
    case 'text-key':
      // Without the six characters that end the ARN, for the same reason as below.
      return configuration.aiText === 'openai' ? [arnOf('secretsmanager', `secret:${names.aiSecret}*`)] : []
    case 'transcriptions':
      return configuration.aiSpeech === 'transcribe' ? ['*'] : []
    case 'transcription-jobs':
      return configuration.aiSpeech === 'transcribe'
        ? [arnOf('transcribe', `transcription-job/${names.physical('')}aij_*`)]
        : []
    case 'speech-key':
      return configuration.aiSpeech === 'openai' ? [arnOf('secretsmanager', `secret:${names.aiSecret}*`)] : []
    case 'data-key':
    case 'data-key:person':
    case 'data-key:server':
      return [references.dataKeyArn]
    case 'token-keys':
      return [references.tokenKeysArn]
    case 'platform-secrets':
      // Without the six characters at the end of a secret's ARN: IAM decides before it is known whether the secret exists,
      // and a missing secret must be reported as missing, not as denied.
      return [arnOf('secretsmanager', `secret:${names.platformSecretsPrefix}*`)]
    case 'push-secrets':
      return configuration.vapidPublicKey === undefined && configuration.expoPush === 'off'
        ? []
        : [arnOf('secretsmanager', `secret:${names.pushSecretsPrefix}*`)]
    case 'stripe-secret':
      return Object.keys(stripePrices).length === 0 ? [] : [arnOf('secretsmanager', `secret:${names.stripeSecret}*`)]
    case 'schedule-group':
      return [arnOf('scheduler', `schedule/${names.scheduleGroup}/*`)]
    case 'schedule-role':
      return [references.scheduleRoleArn]
    case 'mail-identity':
      // SES checks the identity that it finds for the sender (the address, its domain, or a parent domain), in the sandbox
      // also for the recipient, and the default configuration set of the identity. The condition limits the sender.
      return [arnOf('ses', 'identity/*'), arnOf('ses', 'configuration-set/*')]
    case 'event-bus':
      return references.eventBus === undefined ? [] : [arnOf('events', `event-bus/${references.eventBus}`)]
    default: {
      const [kind, name = ''] = target.split(':')
      return kind === 'platform-secrets'
        ? [arnOf('secretsmanager', `secret:${names.platformSecretsPrefix}${name}*`)]
        : [arnOf('sqs', names.physical(name))]
    }
  }
}

/** Limits a right to a part of its resource: some rows or prefixes, one sender of emails, one service. */
const conditionsOf = (
  scope: Construct,
  target: Target,
  configuration: Configuration,
): Record<string, Record<string, string | string[]>> | undefined => {
  switch (target) {
    case 'counters':
      return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${countKeys}*`] } }
    case 'media-listing':
      return { StringLike: { 's3:prefix': ['media/*', `${incomingPrefix}*`, `${exportsPrefix}*`] } }
    case 'schedule-role':
      return { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } }
    case 'mail-identity':
      return { StringEquals: { 'ses:FromAddress': configuration.mailFrom } }
    // The encryption context names whose data key it is (shared/aws/keys.ts).
    case 'data-key':
      return { StringLike: { 'kms:EncryptionContext:workspaceId': '*' } }
    case 'data-key:person':
      return { StringLike: { 'kms:EncryptionContext:userId': '*' } }
    case 'data-key:server':
      return { StringLike: { 'kms:EncryptionContext:serverId': '*' } }
    case 'transcriptions':
      return { StringEquals: { 'transcribe:OutputBucketName': referencesIn(scope, configuration).mediaBucket } }
    default:
      return undefined
  }
}

/**
 * Whether other rights have the same actions on the whole resource: a function that writes the table needs no right to its
 * counters.
 */
const isCovered = ({ actions, resource }: Right, rights: readonly Right[]): boolean =>
  resource === 'counters' &&
  actions.every((action) => rights.some((right) => right.resource === 'table' && right.actions.includes(action)))

/** The rights as statements of a policy. */
export const statementsOf = (
  scope: Construct,
  configuration: Configuration,
  rights: readonly Right[],
): PolicyStatement[] =>
  rights.flatMap((right) => {
    if (isCovered(right, rights)) return []
    const { actions, resource } = right
    const resources = arnsOf(scope, configuration, resource)
    // Nothing is granted for parts that this deployment does not use.
    if (resources.length === 0) return []
    const conditions = conditionsOf(scope, resource, configuration)
    return new PolicyStatement({
      actions: [...actions],
      resources,
      ...(conditions === undefined ? {} : { conditions }),
    })
  })

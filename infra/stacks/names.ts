import { definitions } from '../../shared/platforms/definitions.ts'
import type { PlatformId, QueueName } from '../../shared/resources.ts'

/** The platforms that have a publisher. */
export const publishers: readonly PlatformId[] = definitions.map(({ id }) => id)

export const publishQueues: readonly QueueName[] = publishers.map((platform) => `publish-${platform}` as const)

/** Every queue of the pipeline. */
export const queueNames: readonly QueueName[] = [
  'prepare',
  'events',
  'deliver',
  'drain',
  'replay',
  'purge',
  'preview',
  'index',
  ...publishQueues,
]

/** The name of a queue, function or group in the account; fixed, so that stacks need not import from each other. */
export const physicalName = (name: string): string => `social-${name}`

export const deadLetterName = (queue: QueueName): string => `${physicalName(queue)}-dlq`

export const apiName = physicalName('api')
export const scheduleGroup = 'social'
export const platformSecretsPrefix = 'social/platforms/'

/** The measure of errors that workers log. */
export const workerErrors = { metricNamespace: 'Social', metricName: 'WorkerErrors' }

/** The measure of calls that a broken counter could not count. */
export const uncountedCalls = { metricNamespace: 'Social', metricName: 'UncountedCalls' }

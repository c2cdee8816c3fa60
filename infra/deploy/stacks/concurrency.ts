import type { PlatformDefinition } from '../../../shared/platforms/definition.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'
import { platformIds, type QueueName } from '../../../shared/resources.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { QueuePollers } from './throughput.ts'

const publishQueues = platformIds.map((id) => `publish-${id}` as const)

/** The platform to which a queue publishes. */
export const publishedBy = (queue: QueueName): PlatformDefinition | undefined =>
  definitions.find(({ id }) => queue === `publish-${id}`)

/**
 * How many invocations of its worker each queue may have in parallel, where a deployment sets nothing else. A receiver of
 * webhooks can hold an invocation for 15 s, so those have a limit; so have previews and indexes, which can become due in
 * floods. All other queues have none: Lambda polls an idle queue with five pollers if it has a limit, and with two if it
 * has none (Lambda guide, "Configuring scaling behavior for SQS event source mappings", read 2026-11-22).
 */
export const defaultConcurrency: Readonly<Record<QueueName, number | null>> = {
  prepare: null,
  events: null,
  deliver: 100,
  drain: 100,
  replay: 10,
  // One message for each workspace that is being deleted.
  purge: null,
  // A workspace has one at a time.
  export: null,
  // A server can take minutes to send its file.
  import: 20,
  preview: 10,
  index: 10,
  notify: null,
  // The budget of a workspace limits its jobs.
  ai: null,
  billing: null,
  ...(Object.fromEntries(publishQueues.map((queue) => [queue, null])) as Record<(typeof publishQueues)[number], null>),
}

/**
 * The concurrency that Lambda keeps for all other functions: it rejects a reservation that leaves less (Lambda guide,
 * "Quotas").
 */
const leastUnreserved = 100

/** The functions that a flood of API calls or webhooks must not starve, and their queues. */
const reservedQueues: Readonly<Record<string, readonly QueueName[]>> = {
  'prepare-post': ['prepare'],
  'publish-post': publishQueues,
}

/**
 * The limit of their queues if none is set. With reserved concurrency a queue needs one: Lambda throttles invocations beyond
 * it, and a message that is throttled five times is moved to the dead-letter queue.
 */
const limitOf = (queue: QueueName): number => {
  const platform = publishedBy(queue)
  return platform === undefined ? 50 : (platform.concurrency ?? 20)
}

/** Invocations that one poller of a queue in provisioned mode makes in parallel (Lambda guide, "Provisioned mode"). */
const perPoller = 10

/** The concurrency settings of a deployment. */
interface Wishes {
  maximum: Readonly<Record<QueueName, number | null>>
  pollers: QueuePollers
  accountConcurrency: number | undefined
}

/** The limits of the queues: those of reserved functions have one. */
export const limitsOf = ({ maximum, pollers, accountConcurrency }: Wishes): Wishes['maximum'] => {
  if (accountConcurrency === undefined) return maximum
  const unlimited = Object.values(reservedQueues)
    .flat()
    .filter((queue) => maximum[queue] === null && pollers[queue] === undefined)
  return { ...maximum, ...Object.fromEntries(unlimited.map((queue) => [queue, limitOf(queue)])) }
}

/**
 * The reserved concurrency of each function: as much as its queues may use, and two for the sweeper, whose runs can overlap.
 * Nothing is reserved if the account's quota is not stated: new accounts have 10 and cannot reserve.
 */
export const reservedConcurrency = (wishes: Wishes): Readonly<Record<string, number>> => {
  const { pollers, accountConcurrency } = wishes
  if (accountConcurrency === undefined) return {}
  const limits = limitsOf(wishes)
  const atMost = (queue: QueueName) => {
    const own = pollers[queue]
    return own === undefined ? (limits[queue] ?? 0) : own.maximum * perPoller
  }
  const ofWorkers = Object.entries(reservedQueues).map(
    ([worker, queues]) => [worker, queues.reduce((sum, queue) => sum + atMost(queue), 0)] as const,
  )
  const reserved: Record<string, number> = { sweep: 2, ...Object.fromEntries(ofWorkers) }
  const sum = Object.values(reserved).reduce((total, count) => total + count, 0)
  if (sum + leastUnreserved <= accountConcurrency) return reserved
  throw new ConfigurationError(
    `"accountConcurrency" is ${accountConcurrency}. The sweeper and the publishers reserve ${sum}, and ${leastUnreserved} must stay unreserved. Raise the quota to ${sum + leastUnreserved} or more, lower "maximumConcurrency" or "pollers", or leave "accountConcurrency" out to reserve nothing.`,
  )
}

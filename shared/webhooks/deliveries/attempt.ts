import { type Context, type Measurement, measured, withCorrelation } from '../../context.ts'
import type { Event } from '../../events/event.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'
import { decryptSecrets } from '../endpoints/secret.ts'
import { slowAfterMs } from '../health/policy.ts'
import type { Health } from '../health/row.ts'
import { drainWork } from '../health/work.ts'
import { markSlow, recordOutcome } from '../health/writes.ts'
import { decideNext } from './lifecycle/next-step.ts'
import type { Delivery } from './lifecycle/row.ts'
import { claimDelivery, completeDelivery } from './lifecycle/writes.ts'
import { attempt, type Outcome, requestedDelaySeconds } from './send-request.ts'
import { deliveryWork } from './work.ts'

/** A delivery with everything that its attempt needs. */
export interface DeliveryJob {
  workspace: Workspace
  endpoint: WebhookEndpoint
  health: Health | undefined
  delivery: Delivery
  event: Event
  /** The API call that led to the event. */
  correlationId: string | undefined
  /** False for a first attempt that has no row yet and therefore no lease. */
  isStored: boolean
  /** Set for a probe of a failing endpoint, which uses up no try of the schedule: the number of the probe. */
  probeCount?: number
}

/** How long to read a response that arrived while this process was paused. */
const catchUpMs = 100

/** Marks an endpoint as slow while its response is still awaited, so that no more requests pile up. */
const timed = async (ctx: Context, endpoint: WebhookEndpoint, run: () => Promise<Outcome>): Promise<Outcome> => {
  const mark = () => {
    markSlow(ctx, endpoint).catch((error: unknown) => {
      ctx.log.warn('slow endpoint not marked', { endpointId: endpoint.id, reason: String(error) })
    })
  }
  // Twice, because the response may have arrived while this process was delayed.
  let timer = setTimeout(() => {
    timer = setTimeout(mark, catchUpMs)
  }, slowAfterMs)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
  }
}

/** The time until the first delivery of an event began, unless it waited for its endpoint. */
const metricsOf = ({ delivery, event }: DeliveryJob, startedMs: number): Measurement[] => {
  const isFirst = delivery.attempt === 1 && delivery.cause === 'event' && delivery.waitingKey === undefined
  return isFirst ? [{ name: 'DeliveryLatencyMs', value: startedMs - Date.parse(event.createdAt) }] : []
}

/** Never the path of the address: it may be a secret. */
const logAttempt = (ctx: Context, job: DeliveryJob, outcome: Outcome): void => {
  const { endpoint, delivery, event } = job
  const { httpStatus, errorCode, durationMs } = outcome
  ctx.log.info('webhook attempt ended', {
    deliveryId: delivery.id,
    attempt: delivery.attempt,
    endpointId: endpoint.id,
    eventType: event.type,
    origin: new URL(endpoint.url).origin,
    httpStatus: httpStatus ?? undefined,
    errorCode: errorCode ?? undefined,
    durationMs,
    ...measured(ctx, ...metricsOf(job, ctx.clock.now() - durationMs)),
  })
}

/** Claims a delivery that has a row, attempts it, and logs the attempt and the next step; undefined if another worker holds it. */
export const attemptDelivery = async (given: Context, job: DeliveryJob): Promise<Outcome | undefined> => {
  const ctx = withCorrelation(given, job.correlationId)
  const { workspace, endpoint, health, event } = job
  const delivery = job.isStored ? await claimDelivery(ctx, job.delivery) : job.delivery
  if (delivery === undefined) return undefined
  const secrets = await decryptSecrets(ctx, workspace, endpoint)
  const outcome = await timed(ctx, endpoint, () => attempt(ctx, endpoint, delivery, event, secrets))
  logAttempt(ctx, job, outcome)
  const nextStep = decideNext(delivery, outcome, ctx.clock.now(), job.probeCount)
  if (!(await completeDelivery(ctx, { workspace, endpoint, delivery }, outcome, nextStep))) return outcome
  const recoveryStarted = await recordOutcome(ctx, endpoint, health, {
    succeeded: outcome.errorCode === null,
    isTest: delivery.cause === 'test',
    requestedDelaySeconds: requestedDelaySeconds(outcome),
  })
  if (recoveryStarted) await drainWork.enqueue(ctx, endpoint)
  const { next } = nextStep
  if (next?.delaySeconds !== undefined) await deliveryWork.enqueue(ctx, next.row, next.delaySeconds)
  return outcome
}

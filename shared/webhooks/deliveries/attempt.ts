import type { Context } from '../../context.ts'
import type { Event } from '../../events/event.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { openSecrets } from '../endpoints/secret.ts'
import { enqueueDrain } from '../health/enqueue-drain.ts'
import { recordOutcome, recordSlow } from '../health/note-outcome.ts'
import { slowAfterMs } from '../health/pace.ts'
import type { Health } from '../health/row.ts'
import { claimDelivery } from './claim.ts'
import type { Delivery } from './delivery.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { finish } from './finish.ts'
import { decideNext } from './next-step.ts'
import { attempt, type Outcome } from './send-request.ts'

/** An attempt with all that belongs to it. */
export interface DeliveryJob {
  workspace: Workspace
  endpoint: Endpoint
  health: Health | undefined
  delivery: Delivery
  event: Event
  /** Set for a probe of a failing endpoint, which uses up no try of the schedule: how many there have been with it. */
  probes?: number
}

/** What stood still together with this process is read within that time. */
const catchUpMs = 100

/** Lets an endpoint be known as slow while its answer is still awaited, so that no more requests pile up before it. */
const timed = async (ctx: Context, endpoint: Endpoint, run: () => Promise<Outcome>): Promise<Outcome> => {
  const note = () => {
    recordSlow(ctx, endpoint).catch((error: unknown) => {
      ctx.log.warn('slow endpoint not noted', { endpointId: endpoint.id, reason: String(error) })
    })
  }
  // Twice, because the answer may be there and only this process was late.
  let timer = setTimeout(() => {
    timer = setTimeout(note, catchUpMs)
  }, slowAfterMs)
  try {
    return await run()
  } finally {
    clearTimeout(timer)
  }
}

/** Claims an attempt, makes it, logs it with what follows from it; undefined where somebody else has it. */
export const attemptDelivery = async (ctx: Context, trial: DeliveryJob): Promise<Outcome | undefined> => {
  const { workspace, endpoint, health, delivery, event } = trial
  if (!(await claimDelivery(ctx, delivery))) return undefined
  const secrets = await openSecrets(ctx, workspace, endpoint)
  const outcome = await timed(ctx, endpoint, () => attempt(ctx, endpoint, delivery, event, secrets))
  const verdict = decideNext(delivery, outcome, ctx.clock.now(), trial.probes)
  if (!(await finish(ctx, trial, outcome, verdict))) return outcome
  const revived = await recordOutcome(ctx, endpoint, health, outcome, delivery.cause === 'test')
  if (revived) await enqueueDrain(ctx, endpoint)
  const { next } = verdict
  if (next?.delaySeconds !== undefined) await enqueueDeliveries(ctx, [next.row], next.delaySeconds)
  return outcome
}

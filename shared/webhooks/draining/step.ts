import type { Context } from '../../context.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { attemptDelivery } from '../deliveries/attempt.ts'
import { closeWithoutAttempt } from '../deliveries/lifecycle/close.ts'
import type { Outcome } from '../deliveries/send-request.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Health } from '../health/row.ts'
import type { HealthTransition } from '../health/transitions.ts'
import type { WaitingDelivery } from './waiting.ts'

/** An endpoint that is leased for one step. */
export interface LeasedEndpoint {
  workspace: Workspace
  endpoint: Endpoint
  health: Health
}

/** What a step returns: the transition of the endpoint's health, and the time until the next step, if there is one. */
export interface StepResult {
  transition: HealthTransition
  set?: Partial<Pick<Health, 'recheckCount' | 'probeCount' | 'recovery' | 'lastNoticeHours' | 'drained'>>
  nextMs?: number
}

/** A recovered endpoint is rechecked at once, for what was enqueued during the lease, and once more later. */
export const recovered: StepResult = { transition: 'recover', nextMs: 0 }

/** The maximum lag of an index behind the table. */
export const indexLagMs = 60_000

/** Sends waiting deliveries concurrently. Deliveries whose event has expired are discarded. Returns the outcomes. */
export const sendWaiting = async (
  ctx: Context,
  leased: LeasedEndpoint,
  waiting: readonly WaitingDelivery[],
  probeCount?: number,
): Promise<Outcome[]> => {
  const probe = probeCount === undefined ? {} : { probeCount }
  const outcomes = await Promise.all(
    waiting.map(async ({ delivery, event }) => {
      if (event) return attemptDelivery(ctx, { ...leased, delivery, event, ...probe })
      await closeWithoutAttempt(ctx, delivery, 'discarded')
      return undefined
    }),
  )
  return outcomes.filter((outcome) => outcome !== undefined)
}

import type { Context } from '../../context.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { attemptDelivery } from '../deliveries/attempt.ts'
import { closeWithoutAttempt } from '../deliveries/finish.ts'
import type { Outcome } from '../deliveries/send-request.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Health } from '../health/row.ts'
import type { WaitingDelivery } from './waiting.ts'

/** An endpoint that is held for one step. */
export interface LeasedEndpoint {
  workspace: Workspace
  endpoint: Endpoint
  health: Health
}

/** What a step leaves behind: what it changes of the endpoint's health, and the time until the next; none without it. */
export interface StepResult {
  set?: Partial<Pick<Health, 'state' | 'paceFromMs' | 'turns' | 'toldHours'>>
  nextMs?: number
}

export type Step = (ctx: Context, held: LeasedEndpoint) => Promise<StepResult>

/** An endpoint that is well again: looked at once more at once, for what came while it was held, and later. */
export const recovered: StepResult = { set: { state: 'watched', turns: 0 }, nextMs: 0 }

/** After this long somebody looks whether anything was left waiting: longer than an index lags behind. */
export const recheckAfterMs = 60_000

/** Sends what waits, all at once; what has lost its event is dropped. Answers what came back. */
export const sendWaiting = async (
  ctx: Context,
  held: LeasedEndpoint,
  waiting: readonly WaitingDelivery[],
  probes?: number,
): Promise<Outcome[]> => {
  const more = probes === undefined ? {} : { probes }
  const outcomes = await Promise.all(
    waiting.map(async ({ delivery, event }) => {
      if (event) return attemptDelivery(ctx, { ...held, delivery, event, ...more })
      await closeWithoutAttempt(ctx, delivery, 'discarded')
      return undefined
    }),
  )
  return outcomes.filter((outcome) => outcome !== undefined)
}

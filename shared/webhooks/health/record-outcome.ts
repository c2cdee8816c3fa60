import type { Context } from '../../context.ts'
import { recordFailure } from './record-failure.ts'
import { recordSuccess } from './record-success.ts'
import type { Health, HealthKey } from './row.ts'

/** What an attempt says about its endpoint. */
export interface AttemptResult {
  succeeded: boolean
  /** A test that fails does not count; one that succeeds counts like any other delivery. */
  isTest: boolean
  /** What the receiver asked for with Retry-After. */
  requestedDelaySeconds: number | undefined
}

/** Records an attempt; `health` is as it was before it. True if parked deliveries may be sent now. */
export const recordOutcome = async (
  ctx: Context,
  endpoint: HealthKey,
  health: Health | undefined,
  { succeeded, isTest, requestedDelaySeconds }: AttemptResult,
): Promise<boolean> => {
  if (succeeded) return health === undefined ? false : recordSuccess(ctx, health)
  if (!isTest) await recordFailure(ctx, endpoint, requestedDelaySeconds)
  return false
}

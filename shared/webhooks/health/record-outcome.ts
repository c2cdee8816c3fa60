import type { Context } from '../../context.ts'
import { recordFailure } from './record-failure.ts'
import { recordSuccess } from './record-success.ts'
import type { Health, HealthKey } from './row.ts'

/** The result of an attempt, as far as it concerns its endpoint. */
export interface AttemptResult {
  succeeded: boolean
  /** A test that fails does not count; one that succeeds counts like any other delivery. */
  isTest: boolean
  /** The delay that the receiver requested with Retry-After. */
  requestedDelaySeconds: number | undefined
}

/** Records an attempt; `health` is as it was before it. True if parked deliveries can be sent now. */
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

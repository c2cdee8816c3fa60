import type { Context } from '../../context.ts'
import { requestedDelaySeconds } from '../deliveries/send-request.ts'
import { disableEndpoint } from '../endpoints/disable.ts'
import { isBeyondRecovery, noticeDue, probeWaitMs } from '../health/policy.ts'
import type { HealthState } from '../health/state.ts'
import { alertFailing } from './alert-team.ts'
import { type LeasedEndpoint, recovered, type StepResult, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

const reason = 'No delivery succeeded for five days.'

/** Sends a failing endpoint the oldest waiting delivery, and no other. Disables it after five days. */
export const probe = async (
  ctx: Context,
  leased: LeasedEndpoint,
  { sinceMs, probeCount: probed, lastNoticeHours }: Extract<HealthState, { kind: 'failing' }>,
): Promise<StepResult> => {
  const { workspace, endpoint, health } = leased
  const [oldest] = await readWaiting(ctx, health, { count: 1 })
  // Without a delivery to probe with, the next event is the probe: one failure makes the endpoint failing again.
  if (!oldest) return recovered
  const probeCount = probed + 1
  const [outcome] = await sendWaiting(ctx, leased, [oldest], probeCount)
  if (!outcome || outcome.errorCode === null) return { transition: 'continue', nextMs: 0 }
  const failingForMs = ctx.clock.now() - sinceMs
  if (isBeyondRecovery(failingForMs, health.failures + 1)) {
    await disableEndpoint(ctx, workspace, endpoint, reason)
    return { transition: 'continue', nextMs: 0 }
  }
  const hours = noticeDue(failingForMs, lastNoticeHours)
  if (probed === 0) await alertFailing(ctx, endpoint, sinceMs, 0)
  const isNotified = hours !== undefined && (await alertFailing(ctx, endpoint, sinceMs, hours))
  const set = { probeCount, ...(isNotified ? { lastNoticeHours: hours } : {}) }
  return { transition: 'probe', set, nextMs: probeWaitMs(probeCount, requestedDelaySeconds(outcome)) }
}

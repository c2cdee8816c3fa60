import { requestedDelaySeconds } from '../deliveries/send-request.ts'
import { disableEndpoint } from '../endpoints/disable.ts'
import { isBeyondRecovery, noticeDue, probeWaitMs } from '../health/pace.ts'
import { notifyFailing } from './notify-owner.ts'
import { recovered, type Step, sendWaiting } from './step.ts'
import { readWaiting } from './waiting.ts'

const disabledReason = 'No delivery succeeded for five days.'

/** Sends a failing endpoint the oldest thing that waits for it, and no other; gives up on it after five days. */
export const probe: Step = async (ctx, held) => {
  const { workspace, endpoint, health } = held
  const failingForMs = (nowMs: number) => nowMs - (health.failingSinceMs ?? nowMs)
  const [oldest] = await readWaiting(ctx, health, { count: 1 })
  // Nothing to probe with: the next event is the probe, and one failure makes the endpoint failing again.
  if (!oldest) return recovered
  const turns = health.turns + 1
  const [outcome] = await sendWaiting(ctx, held, [oldest], turns)
  if (!outcome || outcome.errorCode === null) return { nextMs: 0 }
  const now = ctx.clock.now()
  if (isBeyondRecovery(failingForMs(now), health.failures + 1)) {
    await disableEndpoint(ctx, workspace, endpoint, disabledReason)
    return { nextMs: 0 }
  }
  const hours = noticeDue(failingForMs(now), health.toldHours)
  const told = hours !== undefined && (await notifyFailing(ctx, workspace, endpoint, hours))
  const set = { turns, ...(told ? { toldHours: hours } : {}) }
  return { set, nextMs: probeWaitMs(turns, requestedDelaySeconds(outcome)) }
}

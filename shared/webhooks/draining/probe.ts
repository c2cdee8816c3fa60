import { askedSeconds } from '../deliveries/send-request.ts'
import { switchOff } from '../endpoints/disable.ts'
import { isHopeless, noticeDue, probeWaitMs } from '../health/pace.ts'
import { tellFailing } from './notify-owner.ts'
import { type Step, sendWaiting, wellAgain } from './step.ts'
import { readWaiting } from './waiting.ts'

const hopelessReason = 'No delivery succeeded for five days.'

/** Sends a failing endpoint the oldest thing that waits for it, and no other; gives up on it after five days. */
export const probe: Step = async (ctx, held) => {
  const { workspace, endpoint, health } = held
  const failingForMs = (nowMs: number) => nowMs - (health.failingSinceMs ?? nowMs)
  const [oldest] = await readWaiting(ctx, health, { count: 1 })
  // Nothing to probe with: the next event is the probe, and one failure makes the endpoint failing again.
  if (!oldest) return wellAgain
  const turns = health.turns + 1
  const [outcome] = await sendWaiting(ctx, held, [oldest], turns)
  if (!outcome || outcome.errorCode === null) return { nextMs: 0 }
  const now = ctx.clock.now()
  if (isHopeless(failingForMs(now), health.failures + 1)) {
    await switchOff(ctx, workspace, endpoint, hopelessReason)
    return { nextMs: 0 }
  }
  const hours = noticeDue(failingForMs(now), health.toldHours)
  const told = hours !== undefined && (await tellFailing(ctx, workspace, endpoint, hours))
  const set = { turns, ...(told ? { toldHours: hours } : {}) }
  return { set, nextMs: probeWaitMs(turns, askedSeconds(outcome)) }
}

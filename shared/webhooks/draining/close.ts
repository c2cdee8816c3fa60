import { closeWithoutAttempt } from '../deliveries/finish.ts'
import { notifyDisabled } from './notify-owner.ts'
import { recheckAfterMs, type Step } from './step.ts'
import { readWaiting } from './waiting.ts'

const atOnce = 100

/** Stands for the notice that an endpoint was switched off. */
const toldDisabled = 120

const mailAgainMs = 15 * 60_000

/** Drops what waits for an endpoint that is switched off or deleted; its owner is told where it was not a person's doing. */
export const close: Step = async (ctx, { workspace, endpoint, health }) => {
  const waiting = await readWaiting(ctx, health, { count: atOnce })
  await Promise.all(waiting.map(({ delivery }) => closeWithoutAttempt(ctx, delivery, 'discarded')))
  if (waiting.length > 0) return { set: { state: 'closing' }, nextMs: 0 }
  // The second look, because the index may lag.
  if (health.toldHours === toldDisabled) return { set: { state: 'closing' } }
  const { disabledReason, deletedAt } = endpoint
  const isOwnDoing = disabledReason !== null && deletedAt === undefined
  if (isOwnDoing && !(await notifyDisabled(ctx, workspace, endpoint, disabledReason))) return { nextMs: mailAgainMs }
  return { set: { state: 'closing', toldHours: toldDisabled }, nextMs: recheckAfterMs }
}

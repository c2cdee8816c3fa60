import type { Context } from '../context.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { dayMs, minuteMs } from '../time.ts'
import type { Subscription } from '../workspaces/subscription.ts'
import type { BillingAccount } from './account.ts'
import { trialNoticeMs } from './events.ts'
import type { Snapshot } from './snapshot.ts'

/** Stripe sends its events within seconds; the state is read soon after the time at which one is expected. */
const afterMs = 5 * minuteMs

/**
 * When the state is read at Stripe again without an event: after each time at which it changes, and once a day. An open
 * checkout page is followed until it expires.
 */
const nextTimeMs = (
  nowMs: number,
  { trialEndsAt, accessUntil }: Subscription,
  snapshot: Snapshot | undefined,
  { checkout }: BillingAccount,
): number | undefined => {
  if (snapshot === undefined) return checkout && nowMs + afterMs
  const times = [
    ...(trialEndsAt === undefined ? [] : [Date.parse(trialEndsAt) - trialNoticeMs]),
    snapshot.periodEndMs + afterMs,
    ...(accessUntil === undefined ? [] : [Date.parse(accessUntil)]),
    nowMs + dayMs,
  ]
  return Math.min(...times.filter((time) => time > nowMs))
}

/** The attributes that have the sweeper read the state again; none if there is nothing to expect. */
export const sweepOf = (
  ctx: Context,
  subscription: Subscription,
  snapshot: Snapshot | undefined,
  account: BillingAccount,
) => {
  const atMs = nextTimeMs(ctx.clock.now(), subscription, snapshot, account)
  return atMs === undefined ? {} : sweepAt(account.id, atMs)
}

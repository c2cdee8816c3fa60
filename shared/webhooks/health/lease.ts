import type { Context } from '../../context.ts'
import { leaseMsOf } from '../../db/lease.ts'
import { leaseGraceMs, sweepAt } from '../../db/sweep-at.ts'
import { timeoutSecondsOf } from '../../resources.ts'
import { changeHealth } from './change.ts'
import { mayLease, ownsLease, ownsLeaseInState } from './condition.ts'
import type { Health } from './row.ts'
import { type HealthTransition, healthLifecycle } from './transitions.ts'

const leaseMs = leaseMsOf(timeoutSecondsOf.drain)

/** Leases an endpoint for one step; undefined if another drain holds it or its state has changed. */
export const leaseEndpoint = (ctx: Context, health: Health): Promise<Health | undefined> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + leaseMs
  const set = { leaseUntilMs, ...sweepAt(health.id, leaseUntilMs + leaseGraceMs) }
  return changeHealth(ctx, health, { set }, mayLease(health, now))
}

/** Ends a lease with the transition of its step; undefined if the lease was lost or the state has changed meanwhile. */
export const releaseWith = (
  ctx: Context,
  leased: Health,
  name: HealthTransition,
  { set, remove }: { set: Readonly<Record<string, unknown>>; remove: readonly string[] },
): Promise<Health | undefined> =>
  changeHealth(
    ctx,
    leased,
    healthLifecycle.change(name, { set, remove: ['leaseUntilMs', ...remove] }),
    ownsLeaseInState(leased),
  )

/** Ends a lease without another change; undefined if the lease was lost. */
export const releaseUnchanged = (ctx: Context, leased: Health): Promise<Health | undefined> =>
  changeHealth(ctx, leased, { remove: ['leaseUntilMs'] }, ownsLease(leased))

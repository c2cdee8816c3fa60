import type { Context } from '../context.ts'
import { ifCurrent, wasCurrent } from '../db/condition-failed.ts'
import type { Entity } from '../db/entity.ts'
import { allOf, present } from '../db/expression.ts'
import { type Claimed, claimedOf, lease, type WorkRow } from '../db/lease.ts'
import { update } from '../db/table.ts'
import { timeoutSecondsOf } from '../resources.ts'

const emailLease = lease({ until: 'leaseUntilMs', token: 'leaseToken', timeoutSeconds: timeoutSecondsOf.drain })

/** Leases the row of an email for one try; undefined if it is deleted or another worker holds it. */
export const claimEmail = async <Row extends WorkRow, Parts>(
  ctx: Context,
  entity: Entity<Row, Parts>,
  parts: Parts,
): Promise<Claimed<Row> | undefined> => {
  const nowMs = ctx.clock.now()
  const change = { set: { leaseUntilMs: emailLease.untilMs(nowMs) }, add: { leaseToken: 1 } }
  const item = await ifCurrent(update(ctx, entity.key(parts), change, allOf(present('PK'), emailLease.isFree(nowMs))))
  return item && claimedOf(entity.parse(item))
}

/** Releases an email that was not sent, for the next try; the lease of another worker stays. */
export const releaseEmail = async <Row extends WorkRow & Parts, Parts>(
  ctx: Context,
  entity: Entity<Row, Parts>,
  claimed: Claimed<Row>,
): Promise<void> => {
  await wasCurrent(update(ctx, entity.key(claimed), { remove: ['leaseUntilMs'] }, emailLease.ownsLease(claimed)))
}

import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../audit/actor.ts'
import { commitForSweeper } from '../commit/commit-for-sweeper.ts'
import type { Context } from '../context.ts'
import { conditionFailed } from '../db/condition-failed.ts'
import { allOf, equal, present } from '../db/expression.ts'
import { retryOnConflict } from '../db/retry-on-conflict.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { batchGet, type Write } from '../db/table.ts'
import { planOf } from '../plans/plans.ts'
import { dayMs, minuteMs } from '../time.ts'
import { workspaceRetries } from '../workspaces/retries.ts'
import type { Subscription } from '../workspaces/subscription.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { type BillingAccount, billingAccounts } from './account.ts'
import { eventsOf, trialNoticeMs } from './events.ts'
import { readSubscription, type StripeState } from './read-subscription.ts'
import type { Snapshot } from './snapshot.ts'
import { scheduledPlanOf, subscriptionOf } from './state.ts'
import { eventRecord } from './stripe-event.ts'

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

/** The attributes that make the sweeper read the state again; none if there is nothing to expect. */
const sweepOf = (ctx: Context, subscription: Subscription, snapshot: Snapshot | undefined, account: BillingAccount) => {
  const atMs = nextTimeMs(ctx.clock.now(), subscription, snapshot, account)
  return atMs === undefined ? {} : sweepAt(account.id, atMs)
}

/** A workspace and its state at Stripe, as last stored. */
export interface BilledWorkspace {
  workspace: Workspace
  account: BillingAccount
}

interface Reading extends BilledWorkspace, StripeState {}

/** A subscription as the audit trail shows it. A renewal changes none of these. */
const audited = ({ planName, status, cancelAtPeriodEnd = false }: Subscription, account: BillingAccount) => ({
  planName,
  status,
  cancelAtPeriodEnd,
  scheduledPlan: account.scheduledPlan?.planId ?? null,
})

/** What a subscription sets in the row of its workspace; plans.ts defines the limits of a plan. */
const fieldsOf = (subscription: Subscription) => {
  const plan = planOf(subscription.planId)
  return { subscription, ...(plan === undefined ? {} : { xMonthlyCap: plan.xMonthlyCap, quotas: {} }) }
}

/** The write of the workspace's row, if the state changed. */
const workspaceWrites = (workspace: Workspace, subscription: Subscription): Write[] => {
  if (isDeepStrictEqual(subscription, workspace.subscription)) return []
  const when = allOf(present('PK'), equal('subscription', workspace.subscription))
  return [{ update: workspaces.key(workspace), change: { set: fieldsOf(subscription) }, when }]
}

const nextAccount = (
  ctx: Context,
  { account, snapshot, hasEnded }: Reading,
  reported: Partial<BillingAccount>,
): BillingAccount => {
  const { checkout } = account
  const isOpen = snapshot === undefined && checkout !== undefined && checkout.expiresAtMs > ctx.clock.now()
  return {
    ...account,
    ...reported,
    version: account.version + 1,
    subscriptionId: snapshot?.id,
    hadSubscription: account.hadSubscription || snapshot !== undefined || hasEnded,
    scheduledPlan: scheduledPlanOf(ctx, snapshot),
    checkout: isOpen ? checkout : undefined,
  }
}

/** Stores the state that was read from Stripe, with the events and the audit entry of the changes, in one transaction. */
const store = async (
  ctx: Context,
  reading: Reading,
  actor: Actor,
  rest: readonly Write[],
): Promise<BilledWorkspace> => {
  const { workspace, account, snapshot } = reading
  const subscription = subscriptionOf(ctx, reading, workspace.subscription)
  const { unit } = await commitForSweeper(ctx, workspace, (eventId) => {
    const { events, reported } = eventsOf(ctx, { workspace, subscription, snapshot, account }, eventId)
    const next = nextAccount(ctx, reading, reported)
    const [before, after] = [audited(workspace.subscription, account), audited(subscription, next)]
    const by = isDeepStrictEqual(before, after) ? undefined : actor
    const target = { type: 'workspace', id: workspace.id } as const
    const row = { ...billingAccounts.item(next), ...sweepOf(ctx, subscription, snapshot, next) }
    return {
      next,
      writes: [
        { put: row, when: equal('version', account.version) },
        ...workspaceWrites(workspace, subscription),
        ...rest,
      ],
      events,
      audit: { by, action: 'billing.subscription_changed', target, before, after },
    }
  })
  return { workspace: { ...workspace, ...fieldsOf(subscription) }, account: unit.next }
}

/**
 * Reads the subscription of a workspace at Stripe and stores it. A Stripe event only triggers a read: duplicate, late, and
 * reordered events end in the same state. The row is read before Stripe, and stored only if no other state was stored since.
 * A state is therefore never replaced by an older one. Undefined for a workspace that is not billed.
 */
export const syncSubscription = (
  ctx: Context,
  workspaceId: string,
  actor: Actor,
  rest: readonly Write[] = [],
): Promise<BilledWorkspace | undefined> =>
  retryOnConflict(workspaceRetries, async () => {
    const rows = await batchGet(ctx, [billingAccounts.key({ workspaceId }), workspaces.key({ id: workspaceId })])
    const account = billingAccounts.from(rows, { workspaceId })
    const workspace = workspaces.from(rows, { id: workspaceId })
    if (account === undefined || workspace === undefined) return undefined
    const atStripe = await readSubscription(ctx, account)
    try {
      return await store(ctx, { workspace, account, ...atStripe }, actor, rest)
    } catch (error) {
      // The same event was handled at the same time.
      if (conditionFailed(error, eventRecord)) return { workspace, account }
      throw error
    }
  })

import type Stripe from 'stripe'
import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BillingAccount } from './account.ts'
import { readSubscription } from './read-subscription.ts'
import { assertProvider, notSubscribed } from './refuse.ts'
import type { Snapshot } from './snapshot.ts'
import { stripeOf } from './stripe/client.ts'
import { orRefuse } from './stripe/refuse.ts'
import { type BilledWorkspace, syncSubscription } from './sync.ts'

type Change = (stripe: Stripe, billed: BilledWorkspace, now: Snapshot) => Promise<void>

/** A workspace as authorized, and its account, if it has one. */
export interface Payer {
  workspace: Workspace
  account: BillingAccount | undefined
}

/**
 * Changes a subscription at Stripe, and stores the result. Stripe is read first, so that a retry after a lost response finds
 * the change. A failure is stored as well: it increments the version, and the next attempt gets new keys instead of the
 * failure that Stripe remembers.
 */
export const changeAtStripe = async (
  ctx: Context,
  { workspace, account }: Payer,
  actor: Actor,
  change: Change,
): Promise<BilledWorkspace> => {
  assertProvider(ctx)
  const now = account && (await readSubscription(ctx, account)).snapshot
  if (account === undefined || now === undefined) throw notSubscribed()
  const billed = { workspace, account }
  try {
    await orRefuse(ctx, async () => change(await stripeOf(ctx), billed, now))
  } catch (error) {
    await syncSubscription(ctx, workspace.id, actor).catch(() => undefined)
    throw error
  }
  return (await syncSubscription(ctx, workspace.id, actor)) ?? billed
}

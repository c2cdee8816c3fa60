import type { Context } from '../context.ts'
import type { BillingEventData } from '../events/catalog.ts'
import type { NewEvent } from '../events/event.ts'
import { dayMs } from '../time.ts'
import { billingUrlOf, type Subscription } from '../workspaces/subscription.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BillingAccount } from './account.ts'
import type { Snapshot } from './snapshot.ts'

/** How long before the end of a trial it is reported, as Stripe does (customer.subscription.trial_will_end). */
export const trialNoticeMs = 3 * dayMs

type Reported = Pick<BillingAccount, 'reportedTrialEnd' | 'reportedInvoice' | 'eventCount' | 'lastEventId'>

const iso = (ms: number): string => new Date(ms).toISOString()

interface State {
  workspace: Workspace
  subscription: Subscription
  snapshot: Snapshot | undefined
  account: BillingAccount
}

/**
 * The events that a state calls for, each once. They follow from the state and not from an event of Stripe, so that a lost
 * one is made up for by the next reading.
 */
export const eventsOf = (
  ctx: Context,
  { workspace, subscription, snapshot, account }: State,
  eventId: (index: number) => string,
): { events: NewEvent[]; reported: Reported } => {
  const nowMs = ctx.clock.now()
  const events: NewEvent[] = []
  const { reportedTrialEnd, reportedInvoice, eventCount, lastEventId } = account
  const reported: Reported = { reportedTrialEnd, reportedInvoice, eventCount, lastEventId }
  const add = <T extends keyof BillingEventData>(type: T, data: BillingEventData[T]) => {
    const sequence = reported.eventCount + 1
    const lastEventId = eventId(events.length)
    events.push({ type, sequence, previousEventId: reported.lastEventId, data })
    Object.assign(reported, { eventCount: sequence, lastEventId })
  }
  const { planName, trialEndsAt, cancelAtPeriodEnd = false, accessUntil = null } = subscription
  const billingUrl = billingUrlOf(subscription, workspace.slug, ctx.env('BASE_URL'))
  const leftMs = trialEndsAt === undefined ? 0 : Date.parse(trialEndsAt) - nowMs
  if (trialEndsAt !== undefined && trialEndsAt !== reportedTrialEnd && leftMs > 0 && leftMs <= trialNoticeMs) {
    reported.reportedTrialEnd = trialEndsAt
    add('workspace.trial_ending', { planName, trialEndsAt, cancelAtPeriodEnd, billingUrl })
  }
  const invoice = snapshot?.openInvoice
  const isUnpaid = snapshot?.status === 'past_due' || snapshot?.status === 'unpaid'
  if (invoice !== undefined && isUnpaid && invoice.id !== reportedInvoice) {
    reported.reportedInvoice = invoice.id
    const { amountDueCents, currency, nextAttemptMs } = invoice
    add('workspace.payment_failed', {
      planName,
      amountDueCents,
      currency,
      nextAttemptAt: nextAttemptMs === null ? null : iso(nextAttemptMs),
      accessEndsAt: accessUntil,
      billingUrl,
    })
  }
  return { events, reported }
}

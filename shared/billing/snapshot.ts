import * as z from 'zod/mini'

const seconds = z.pipe(
  z.number(),
  z.transform((value: number) => value * 1000),
)

const Item = z.object({
  id: z.string(),
  price: z.object({ id: z.string() }),
  current_period_start: seconds,
  current_period_end: seconds,
})

const Invoice = z.object({
  id: z.string(),
  status: z.nullable(z.string()),
  attempted: z.boolean(),
  amount_due: z.int(),
  currency: z.string(),
  created: seconds,
  next_payment_attempt: z.nullable(seconds),
})

const Schedule = z.object({
  id: z.string(),
  current_phase: z.nullable(z.object({ end_date: seconds })),
  phases: z.array(z.object({ start_date: seconds, items: z.tuple([z.object({ price: z.string() })], z.unknown()) })),
})

/** The fields of a Stripe subscription that the service reads (docs.stripe.com/api/subscriptions/object). */
export const StripeSubscription = z.object({
  id: z.string(),
  status: z.string(),
  created: seconds,
  items: z.object({ data: z.tuple([Item], z.unknown()) }),
  trial_end: z.nullable(seconds),
  cancel_at: z.nullable(seconds),
  cancel_at_period_end: z.boolean(),
  latest_invoice: z.nullable(Invoice),
  schedule: z.nullable(Schedule),
})
type StripeSubscription = z.infer<typeof StripeSubscription>

/** A subscription at Stripe at one moment. Times are in milliseconds. */
export interface Snapshot {
  id: string
  itemId: string
  price: string
  status: string
  createdMs: number
  trialEndMs: number | null
  periodStartMs: number
  periodEndMs: number
  /** When it ends for good, if it is canceled. */
  endsAtMs: number | null
  cancelAtPeriodEnd: boolean
  scheduleId: string | undefined
  /** The price of the next period, if it is another one. */
  nextPrice: { price: string; startsAtMs: number } | undefined
  openInvoice:
    | { id: string; amountDueCents: number; currency: string; createdMs: number; nextAttemptMs: number | null }
    | undefined
}

const nextPriceOf = ({ schedule }: StripeSubscription): Snapshot['nextPrice'] => {
  const endMs = schedule?.current_phase?.end_date
  const next = endMs === undefined ? undefined : schedule?.phases.find(({ start_date }) => start_date >= endMs)
  return next && { price: next.items[0].price, startsAtMs: next.start_date }
}

const openInvoiceOf = ({ latest_invoice: invoice }: StripeSubscription): Snapshot['openInvoice'] => {
  if (invoice === null || !invoice.attempted || invoice.status !== 'open') return undefined
  const { id, amount_due: amountDueCents, currency, created: createdMs, next_payment_attempt: nextAttemptMs } = invoice
  return { id, amountDueCents, currency, createdMs, nextAttemptMs }
}

export const snapshotOf = (subscription: StripeSubscription): Snapshot => {
  const [item] = subscription.items.data
  const { cancel_at: cancelAtMs, cancel_at_period_end: cancelAtPeriodEnd } = subscription
  return {
    id: subscription.id,
    itemId: item.id,
    price: item.price.id,
    status: subscription.status,
    createdMs: subscription.created,
    trialEndMs: subscription.trial_end,
    periodStartMs: item.current_period_start,
    periodEndMs: item.current_period_end,
    endsAtMs: cancelAtMs ?? (cancelAtPeriodEnd ? item.current_period_end : null),
    cancelAtPeriodEnd,
    scheduleId: subscription.schedule?.id,
    nextPrice: nextPriceOf(subscription),
    openInvoice: openInvoiceOf(subscription),
  }
}

import type { Customer, Invoice, Schedule, Session, Subscription } from './model.ts'

/** Objects as Stripe's API returns them (docs.stripe.com/api), with the relevant members. */

export const showCustomer = ({ pays: _, deleted, ...customer }: Customer) =>
  deleted ? { id: customer.id, object: 'customer', deleted } : { ...customer, livemode: false }

export const showInvoice = ({ subscription, ...invoice }: Invoice) => ({
  ...invoice,
  livemode: false,
  parent: { type: 'subscription_details', quote_details: null, subscription_details: { subscription, metadata: {} } },
})

export const showSchedule = ({ phases, subscription, ...schedule }: Schedule) => {
  const [current] = phases
  const isActive = schedule.status === 'active'
  return {
    ...schedule,
    subscription: isActive ? subscription : null,
    released_subscription: isActive ? null : subscription,
    current_phase: isActive && current ? { start_date: current.start_date, end_date: current.end_date } : null,
    end_behavior: 'release',
    phases: phases.map(({ price, ...phase }) => ({ ...phase, items: [{ price, plan: price, quantity: 1 }] })),
  }
}

/** What `expand` replaces IDs with. */
interface Expanded {
  latest_invoice?: Invoice | undefined
  schedule?: Schedule | undefined
}

export const showSubscription = (subscription: Subscription, { latest_invoice, schedule }: Expanded = {}) => {
  const { itemId, price, periodStart, periodEnd, latestInvoice, saidTrialEnds: _, ...shown } = subscription
  const item = {
    id: itemId,
    object: 'subscription_item',
    price: { id: price, object: 'price', currency: 'usd' },
    quantity: 1,
    current_period_start: periodStart,
    current_period_end: periodEnd,
  }
  return {
    ...shown,
    livemode: false,
    currency: 'usd',
    items: { object: 'list', data: [item], has_more: false, url: `/v1/subscription_items?subscription=${shown.id}` },
    latest_invoice: latest_invoice ? showInvoice(latest_invoice) : latestInvoice,
    schedule: schedule ? showSchedule(schedule) : shown.schedule,
  }
}

export const showSession = ({ price: _, trialDays: __, status, url, ...session }: Session) => ({
  ...session,
  status,
  mode: 'subscription',
  livemode: false,
  payment_status: status === 'complete' ? 'paid' : 'unpaid',
  url: status === 'open' ? url : null,
})

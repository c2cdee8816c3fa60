/** Stripe objects as the stand-in stores them; times are in seconds, as in Stripe's API. */
export interface Customer {
  id: string
  object: 'customer'
  name: string | null
  email: string | null
  metadata: Readonly<Record<string, string>>
  created: number
  /** Whether the customer's card pays. */
  pays: boolean
  deleted?: true
}

export interface Session {
  id: string
  object: 'checkout.session'
  customer: string
  client_reference_id: string | null
  status: 'open' | 'complete' | 'expired'
  price: string
  trialDays: number
  success_url: string
  cancel_url: string
  expires_at: number
  subscription: string | null
  url: string
}

export interface Invoice {
  id: string
  object: 'invoice'
  customer: string
  subscription: string
  status: 'open' | 'paid' | 'void'
  attempted: boolean
  attempt_count: number
  amount_due: number
  currency: 'usd'
  created: number
  next_payment_attempt: number | null
}

export interface Subscription {
  id: string
  object: 'subscription'
  customer: string
  status: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'canceled'
  created: number
  itemId: string
  price: string
  periodStart: number
  periodEnd: number
  trial_end: number | null
  cancel_at: number | null
  cancel_at_period_end: boolean
  ended_at: number | null
  latestInvoice: string | null
  schedule: string | null
  saidTrialEnds: boolean
}

export interface Phase {
  start_date: number
  end_date: number
  price: string
}

export interface Schedule {
  id: string
  object: 'subscription_schedule'
  subscription: string
  status: 'active' | 'released'
  phases: Phase[]
}

export interface StripeEvent {
  id: string
  object: 'event'
  type: string
  api_version: string
  created: number
  livemode: false
  data: { object: unknown }
}

/** Money that left a card. */
export interface Charge {
  customer: string
  amount: number
  invoice: string
}

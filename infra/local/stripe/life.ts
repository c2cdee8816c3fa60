import type { Books } from './books.ts'
import type { Invoice, Schedule, Session, Subscription } from './model.ts'
import { declined } from './refuse.ts'
import { stripeSeed } from './seed.ts'

const daySeconds = 86_400

/** Stripe's default: four attempts, and then the subscription ends. */
const maxAttempts = 4
const retryDays = 3

/** The same day of the next month, or its last one. */
const monthAfter = (seconds: number): number => {
  const at = new Date(seconds * 1000)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + 1)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, last))
  return at.getTime() / 1000
}

const amountOf = (price: string): number => stripeSeed.prices[price]?.amount ?? 0

/** The lifecycle of subscriptions: purchases, renewals, and payments. */
export const openLife = (books: Books) => {
  const pays = (customer: string) => books.customers.get(customer)?.pays === true

  const charge = ({ id: invoice, customer, amount_due: amount }: Invoice) => {
    if (amount > 0) books.charges.set(invoice, { customer, amount, invoice })
  }

  const settle = (invoice: Invoice): Invoice => {
    charge(invoice)
    const paid = { ...invoice, status: 'paid' as const, attempted: true, next_payment_attempt: null }
    return books.saveInvoice(paid, 'invoice.paid')
  }

  /** Creates an invoice and tries to collect it. */
  const bill = (subscription: Subscription, amount: number): Invoice => {
    const invoice: Invoice = {
      id: books.idOf('in'),
      object: 'invoice',
      customer: subscription.customer,
      subscription: subscription.id,
      status: 'open',
      attempted: true,
      attempt_count: 1,
      amount_due: amount,
      currency: 'usd',
      created: books.now(),
      next_payment_attempt: null,
    }
    books.saveInvoice(invoice, 'invoice.created')
    if (amount === 0 || pays(subscription.customer)) return settle(invoice)
    const failed = { ...invoice, next_payment_attempt: books.now() + retryDays * daySeconds }
    return books.saveInvoice(failed, 'invoice.payment_failed')
  }

  const release = (schedule: Schedule) => {
    books.saveSchedule({ ...schedule, status: 'released' }, 'subscription_schedule.released')
  }

  const scheduleOf = ({ schedule }: Subscription) => (schedule === null ? undefined : books.schedules.get(schedule))

  const end = (subscription: Subscription): Subscription => {
    const schedule = scheduleOf(subscription)
    if (schedule) release(schedule)
    const ended = { ...subscription, status: 'canceled' as const, ended_at: books.now(), schedule: null }
    return books.saveSubscription(ended, 'customer.subscription.deleted')
  }

  /** The next period: with the price of the next phase, if there is one. */
  const renew = (subscription: Subscription): Subscription => {
    const schedule = scheduleOf(subscription)
    const next = schedule?.phases[1]
    if (schedule && next) release(schedule)
    const price = next?.price ?? subscription.price
    const start = subscription.periodEnd
    const period = {
      periodStart: start,
      periodEnd: monthAfter(start),
      price,
      schedule: next ? null : subscription.schedule,
    }
    const invoice = bill({ ...subscription, ...period }, amountOf(price))
    const status = invoice.status === 'paid' ? ('active' as const) : ('past_due' as const)
    const renewed = { ...subscription, ...period, status, latestInvoice: invoice.id }
    return books.saveSubscription(renewed, 'customer.subscription.updated')
  }

  const retry = (subscription: Subscription, invoice: Invoice): Subscription => {
    if (pays(subscription.customer)) {
      settle(invoice)
      return books.saveSubscription({ ...subscription, status: 'active' }, 'customer.subscription.updated')
    }
    const attempt_count = invoice.attempt_count + 1
    const isLast = attempt_count >= maxAttempts
    const next_payment_attempt = isLast ? null : books.now() + retryDays * daySeconds
    books.saveInvoice({ ...invoice, attempt_count, next_payment_attempt }, 'invoice.payment_failed')
    return isLast ? end(subscription) : subscription
  }

  const isOver = ({ cancel_at, cancel_at_period_end, periodEnd }: Subscription, now: number) =>
    (cancel_at !== null && cancel_at <= now) || (cancel_at_period_end && periodEnd <= now)

  /** The next scheduled change of a subscription; undefined if there is none yet. */
  const step = (subscription: Subscription): Subscription | undefined => {
    const now = books.now()
    const { status, trial_end, saidTrialEnds, periodEnd, latestInvoice } = subscription
    if (status === 'canceled') return undefined
    if (isOver(subscription, now)) return end(subscription)
    if (status === 'trialing' && trial_end !== null && !saidTrialEnds && trial_end - 3 * daySeconds <= now) {
      const said = { ...subscription, saidTrialEnds: true }
      return books.saveSubscription(said, 'customer.subscription.trial_will_end')
    }
    const invoice = latestInvoice === null ? undefined : books.invoices.get(latestInvoice)
    const retryAt = invoice?.status === 'open' ? invoice.next_payment_attempt : null
    if (status === 'past_due' && invoice && retryAt !== null && retryAt <= now) return retry(subscription, invoice)
    if (periodEnd <= now && status !== 'past_due') return renew(subscription)
    return undefined
  }

  /** Starts the subscription of a completed checkout page; rejects it if the card is declined. */
  const begin = (session: Session): Subscription => {
    const now = books.now()
    if (session.trialDays === 0 && !pays(session.customer)) throw declined()
    const trialEnd = session.trialDays > 0 ? now + session.trialDays * daySeconds : null
    const fresh: Subscription = {
      id: books.idOf('sub'),
      object: 'subscription',
      customer: session.customer,
      status: trialEnd === null ? 'active' : 'trialing',
      created: now,
      itemId: books.idOf('si'),
      price: session.price,
      periodStart: now,
      periodEnd: trialEnd ?? monthAfter(now),
      trial_end: trialEnd,
      cancel_at: null,
      cancel_at_period_end: false,
      ended_at: null,
      latestInvoice: null,
      schedule: null,
      saidTrialEnds: false,
    }
    const invoice = bill(fresh, trialEnd === null ? amountOf(session.price) : 0)
    const begun = books.saveSubscription({ ...fresh, latestInvoice: invoice.id }, 'customer.subscription.created')
    books.saveSession({ ...session, status: 'complete', subscription: begun.id }, 'checkout.session.completed')
    return begun
  }

  /** Changes the price immediately. The difference is prorated unless it is a trial. Rejected if the card is declined. */
  const swap = (subscription: Subscription, price: string, prorate: boolean): Subscription => {
    if (price === subscription.price) return subscription
    const { periodStart, periodEnd } = subscription
    const left = Math.max(0, periodEnd - books.now()) / (periodEnd - periodStart)
    const difference = prorate ? Math.max(0, Math.round((amountOf(price) - amountOf(subscription.price)) * left)) : 0
    if (difference > 0 && !pays(subscription.customer)) throw declined()
    const latestInvoice = difference > 0 ? bill(subscription, difference).id : subscription.latestInvoice
    return { ...subscription, price, latestInvoice }
  }

  return {
    begin,
    swap,
    end,
    release,
    scheduleOf,
    /** Runs everything that is due. */
    tick(): void {
      for (const { id } of books.subscriptions.values()) {
        for (let current = books.subscriptions.get(id); current; current = step(current)) {}
      }
      for (const session of books.sessions.values()) {
        if (session.status !== 'open' || session.expires_at > books.now()) continue
        books.saveSession({ ...session, status: 'expired' }, 'checkout.session.expired')
      }
    },
  }
}

export type Life = ReturnType<typeof openLife>

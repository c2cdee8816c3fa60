import type { Answer } from '../pages/server.ts'
import type { Call, Route } from '../platforms/standin.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import type { Books } from './books.ts'
import { type Form, formIn, listIn, numberIn, parseForm, textIn } from './form.ts'
import type { Life } from './life.ts'
import type { Subscription } from './model.ts'
import { missing, reject, wrongKey } from './refuse.ts'
import { type Remembered, rememberAnswers } from './remember.ts'
import { stripeSeed } from './seed.ts'
import { showCustomer, showSchedule, showSession, showSubscription } from './show.ts'

const ok = (body: unknown): Answer => ({ status: 200, body })

const priceIn = (form: Form | undefined): string => {
  const price = textIn(form, 'price') ?? ''
  if (stripeSeed.prices[price] === undefined) throw missing('price', price, 'price')
  return price
}

/** The routes of Stripe's API that the service calls. */
export const apiRoutes = (books: Books, life: Life, url: string, known: StoredMap<Remembered>): Route[] => {
  const { customers, sessions, subscriptions, schedules, invoices } = books

  const liveCustomer = (id: string) => {
    const customer = books.find(customers, 'customer', id, 'customer')
    if (customer.deleted) throw missing('customer', id, 'customer')
    return customer
  }

  const show = (subscription: Subscription) => {
    const { latestInvoice, schedule } = subscription
    return showSubscription(subscription, {
      latest_invoice: latestInvoice === null ? undefined : invoices.get(latestInvoice),
      schedule: schedule === null ? undefined : schedules.get(schedule),
    })
  }

  const createCustomer = (form: Form) => {
    const customer = {
      id: books.idOf('cus'),
      object: 'customer' as const,
      name: textIn(form, 'name') ?? null,
      email: textIn(form, 'email') ?? null,
      metadata: Object.fromEntries(
        Object.entries(formIn(form, 'metadata') ?? {}).map(([name, value]) => [name, String(value)]),
      ),
      created: books.now(),
      pays: true,
    }
    customers.set(customer.id, customer)
    books.tell('customer.created', showCustomer(customer))
    return ok(showCustomer(customer))
  }

  const deleteCustomer = (id: string) => {
    const customer = liveCustomer(id)
    for (const one of subscriptions.values()) if (one.customer === id && one.status !== 'canceled') life.end(one)
    for (const session of sessions.values()) {
      if (session.customer === id && session.status === 'open') books.saveSession({ ...session, status: 'expired' })
    }
    customers.set(id, { ...customer, deleted: true })
    books.tell('customer.deleted', showCustomer(customer))
    return ok({ id, object: 'customer', deleted: true })
  }

  const createSession = (form: Form) => {
    const customer = liveCustomer(textIn(form, 'customer') ?? '').id
    const expires_at = numberIn(form, 'expires_at') ?? books.now() + 86_400
    const left = expires_at - books.now()
    if (left < 1_800 || left > 86_400) throw reject('The expires_at must be between 30 minutes and 24 hours from now.')
    const id = books.idOf('cs')
    const session = books.saveSession({
      id,
      object: 'checkout.session',
      customer,
      client_reference_id: textIn(form, 'client_reference_id') ?? null,
      status: 'open',
      price: priceIn(listIn(form, 'line_items')[0]),
      trialDays: numberIn(formIn(form, 'subscription_data'), 'trial_period_days') ?? 0,
      success_url: textIn(form, 'success_url') ?? '',
      cancel_url: textIn(form, 'cancel_url') ?? '',
      expires_at,
      subscription: null,
      url: `${url}/pay/${id}`,
    })
    return ok(showSession(session))
  }

  const expireSession = (id: string) => {
    const session = books.find(sessions, 'checkout.session', id)
    if (session.status !== 'open') throw reject('Only Checkout Sessions with a status in ["open"] can be expired.')
    return ok(showSession(books.saveSession({ ...session, status: 'expired' }, 'checkout.session.expired')))
  }

  const openPortal = (form: Form) => {
    const { id } = liveCustomer(textIn(form, 'customer') ?? '')
    const back = encodeURIComponent(textIn(form, 'return_url') ?? '')
    const page = { id: books.idOf('bps'), object: 'billing_portal.session', customer: id, livemode: false }
    return ok({ ...page, url: `${url}/portal/${id}?return=${back}` })
  }

  const listSubscriptions = (call: Call) => {
    const customerId = books.find(customers, 'customer', call.query.get('customer') ?? '', 'customer').id
    // Ended subscriptions are listed only on request (docs.stripe.com/api/subscriptions/list).
    const withEnded = call.query.get('status') === 'all'
    const data = subscriptions
      .values()
      .filter(({ customer, status }) => customer === customerId && (withEnded || status !== 'canceled'))
      .map(show)
      .reverse()
    return ok({ object: 'list', url: '/v1/subscriptions', has_more: false, data })
  }

  const updateSubscription = (id: string, form: Form) => {
    const subscription = books.find(subscriptions, 'subscription', id)
    if (subscription.status === 'canceled')
      throw reject('A canceled subscription can only update its cancellation_details.')
    const cancels = ['cancel_at_period_end', 'cancel_at'].filter((name) => name in form)
    if (cancels.length > 0 && subscription.schedule !== null) {
      throw reject(
        `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
      )
    }
    const [item] = listIn(form, 'items')
    const prorate = textIn(form, 'proration_behavior') === 'always_invoice'
    const swapped = item === undefined ? subscription : life.swap(subscription, priceIn(item), prorate)
    const cancel_at_period_end =
      'cancel_at_period_end' in form
        ? textIn(form, 'cancel_at_period_end') === 'true'
        : subscription.cancel_at_period_end
    const cancel_at = 'cancel_at' in form ? (numberIn(form, 'cancel_at') ?? null) : subscription.cancel_at
    const changed = { ...swapped, cancel_at_period_end, cancel_at }
    return ok(show(books.saveSubscription(changed, 'customer.subscription.updated')))
  }

  const createSchedule = (form: Form) => {
    const subscription = books.find(subscriptions, 'subscription', textIn(form, 'from_subscription') ?? '')
    if (subscription.schedule !== null) throw reject('The subscription is already attached to a schedule.')
    const { periodStart: start_date, periodEnd: end_date, price } = subscription
    const id = books.idOf('sub_sched')
    const schedule = books.saveSchedule(
      {
        id,
        object: 'subscription_schedule',
        subscription: subscription.id,
        status: 'active',
        phases: [{ start_date, end_date, price }],
      },
      'subscription_schedule.created',
    )
    books.saveSubscription({ ...subscription, schedule: id }, 'customer.subscription.updated')
    return ok(showSchedule(schedule))
  }

  const updateSchedule = (id: string, form: Form) => {
    const schedule = books.find(schedules, 'subscription_schedule', id)
    if (schedule.status !== 'active') throw reject('You cannot update a subscription schedule that is released.')
    const phases = listIn(form, 'phases').map((phase, at) => ({
      start_date: numberIn(phase, 'start_date') ?? schedule.phases[at]?.start_date ?? 0,
      end_date: numberIn(phase, 'end_date') ?? (numberIn(phase, 'start_date') ?? 0) + 30 * 86_400,
      price: priceIn(listIn(phase, 'items')[0]),
    }))
    if (phases[0]?.start_date !== schedule.phases[0]?.start_date) {
      throw reject('The current phase must keep its start_date.')
    }
    return ok(showSchedule(books.saveSchedule({ ...schedule, phases }, 'subscription_schedule.updated')))
  }

  const releaseSchedule = (id: string) => {
    const schedule = books.find(schedules, 'subscription_schedule', id)
    if (schedule.status !== 'active') throw reject('You cannot release a subscription schedule that is released.')
    life.release(schedule)
    const subscription = books.find(subscriptions, 'subscription', schedule.subscription)
    books.saveSubscription({ ...subscription, schedule: null }, 'customer.subscription.updated')
    return ok(showSchedule({ ...schedule, status: 'released' }))
  }

  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    operation: string,
    answer: (call: Call, form: Form) => Answer,
  ): Route => {
    const carryOut = rememberAnswers(known, (call) => answer(call, parseForm(call.body.toString('utf8'))))
    return {
      method,
      path: `/v1${path}`,
      operation,
      answer(call) {
        if (call.headers['authorization'] !== `Bearer ${stripeSeed.apiKey}`) throw wrongKey()
        life.tick()
        return carryOut(call)
      },
    }
  }
  const id = ({ params }: Call) => params['id'] ?? ''

  return [
    route('POST', '/customers', 'create_customer', (_call, form) => createCustomer(form)),
    route('DELETE', '/customers/:id', 'delete_customer', (call) => deleteCustomer(id(call))),
    route('POST', '/checkout/sessions', 'create_session', (_call, form) => createSession(form)),
    route('GET', '/checkout/sessions/:id', 'get_session', (call) =>
      ok(showSession(books.find(sessions, 'checkout.session', id(call)))),
    ),
    route('POST', '/checkout/sessions/:id/expire', 'expire_session', (call) => expireSession(id(call))),
    route('POST', '/billing_portal/sessions', 'create_portal', (_call, form) => openPortal(form)),
    route('GET', '/subscriptions', 'list_subscriptions', listSubscriptions),
    route('POST', '/subscriptions/:id', 'update_subscription', (call, form) => updateSubscription(id(call), form)),
    route('DELETE', '/subscriptions/:id', 'cancel_subscription', (call) =>
      ok(show(life.end(books.find(subscriptions, 'subscription', id(call))))),
    ),
    route('POST', '/subscription_schedules', 'create_schedule', (_call, form) => createSchedule(form)),
    route('POST', '/subscription_schedules/:id', 'update_schedule', (call, form) => updateSchedule(id(call), form)),
    route('POST', '/subscription_schedules/:id/release', 'release_schedule', (call) => releaseSchedule(id(call))),
  ]
}

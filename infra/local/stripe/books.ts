import type { SimulatorContext } from '../platforms/standin.ts'
import type { StoredMap } from '../platforms/stored-map.ts'
import type { Charge, Customer, Invoice, Schedule, Session, StripeEvent, Subscription } from './model.ts'
import { missing } from './refuse.ts'
import { showInvoice, showSchedule, showSession, showSubscription } from './show.ts'

/** The version of Stripe's API that the stand-in implements: that of the library. */
const apiVersion = '2026-10-28.endive'

export interface Books {
  now(): number
  customers: StoredMap<Customer>
  sessions: StoredMap<Session>
  subscriptions: StoredMap<Subscription>
  schedules: StoredMap<Schedule>
  invoices: StoredMap<Invoice>
  charges: StoredMap<Charge>
  events: StoredMap<StripeEvent>
  idOf(prefix: string): string
  /** The object with an id; rejects an unknown one as Stripe does. */
  find<T>(map: StoredMap<T>, what: string, id: string, param?: string): T
  tell(type: string, object: unknown): void
  saveSubscription(subscription: Subscription, event?: string): Subscription
  saveInvoice(invoice: Invoice, event?: string): Invoice
  saveSchedule(schedule: Schedule, event: string): Schedule
  saveSession(session: Session, event?: string): Session
}

/** The state of the stand-in, and the events that it has sent. */
export const openBooks = ({ clock, keep }: SimulatorContext, see: (event: StripeEvent) => void): Books => {
  const counter = keep<number>('counter')
  const idOf = (prefix: string) => {
    const next = (counter.get('ids') ?? 0) + 1
    counter.set('ids', next)
    return `${prefix}_local${String(next).padStart(8, '0')}`
  }
  const now = () => Math.floor(clock.now() / 1000)
  const events = keep<StripeEvent>('events')
  const tell = (type: string, object: unknown) => {
    const event: StripeEvent = {
      id: idOf('evt'),
      object: 'event',
      type,
      api_version: apiVersion,
      created: now(),
      livemode: false,
      data: { object: structuredClone(object) },
    }
    events.set(event.id, event)
    see(event)
  }
  const [subscriptions, invoices, schedules, sessions] = [
    keep<Subscription>('subscriptions'),
    keep<Invoice>('invoices'),
    keep<Schedule>('schedules'),
    keep<Session>('sessions'),
  ]
  const saver =
    <T extends { id: string }>(map: StoredMap<T>, show: (object: T) => unknown) =>
    (object: T, event?: string): T => {
      map.set(object.id, object)
      if (event !== undefined) tell(event, show(object))
      return object
    }
  return {
    now,
    customers: keep('customers'),
    charges: keep('charges'),
    sessions,
    subscriptions,
    schedules,
    invoices,
    events,
    idOf,
    tell,
    find(map, what, id, param) {
      const stored = map.get(id)
      if (stored === undefined) throw missing(what, id, param)
      return stored
    },
    saveSubscription: saver(subscriptions, (subscription) => showSubscription(subscription)),
    saveInvoice: saver(invoices, showInvoice),
    saveSchedule: saver(schedules, showSchedule),
    saveSession: saver(sessions, showSession),
  }
}

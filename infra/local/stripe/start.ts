import { join } from 'node:path'
import Stripe from 'stripe'
import type { EngineClock } from '../engines/engine.ts'
import { listen } from '../pages/server.ts'
import { openBlobs } from '../platforms/blobs.ts'
import { openCalls, type RecordedCall } from '../platforms/calls.ts'
import { type Faults, openFaults } from '../platforms/faults.ts'
import { serve } from '../platforms/serve.ts'
import type { Platform, SimulatorContext, StandIn } from '../platforms/standin.ts'
import { type StoredMap, storedMap } from '../platforms/stored-map.ts'
import { apiRoutes } from './api.ts'
import { type Books, openBooks } from './books.ts'
import { openLife } from './life.ts'
import type { Charge, StripeEvent } from './model.ts'
import { pageRoutes } from './pages.ts'
import { stripeRefusals } from './refuse.ts'
import type { Remembered } from './remember.ts'
import { stripeSeed } from './seed.ts'

export interface StripeOptions {
  clock: EngineClock
  port?: number
  folder?: string
  /** Where events are sent as they happen; without it, a caller polls for them. */
  webhookUrl?: () => string
}

/** The stand-in for Stripe: its API, its two pages, its events. */
export interface StripeStandIn {
  readonly url: string
  readonly faults: Faults
  readonly books: Books
  calls(): readonly RecordedCall[]
  charges(): readonly Charge[]
  events(): readonly StripeEvent[]
  /** Runs everything that is due: renewals, ends of trials, payments. */
  tick(): void
  /** The body and the signature of an event, as Stripe sends them. */
  sign(event: StripeEvent, secret?: string): { body: string; signature: string }
  close(): Promise<void>
}

const signedBy =
  (clock: EngineClock) =>
  (event: StripeEvent, secret: string = stripeSeed.webhookSecret) => {
    const body = JSON.stringify(event)
    const timestamp = Math.floor(clock.now() / 1000)
    return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
  }

/** How often due changes run while the service runs by itself. */
const tickMs = 2_000

export const startStripe = async (options: StripeOptions): Promise<StripeStandIn> => {
  const { clock, port = 0, folder, webhookUrl } = options
  const listener = await listen(port)
  const sign = signedBy(clock)
  const post = async (event: StripeEvent) => {
    const { body, signature } = sign(event)
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
    // Stripe sends a lost event again for days; the service reads the state once a day by itself.
    if (webhookUrl) await fetch(webhookUrl(), { method: 'POST', headers, body }).catch(() => undefined)
  }
  const keep = <Value>(name: string): StoredMap<Value> => storedMap<Value>(folder && join(folder, `${name}.jsonl`))
  const blobs = openBlobs(folder && join(folder, 'blobs'))
  const context: SimulatorContext = {
    clock,
    apisEnd: false,
    limitsCalls: false,
    url: listener.url,
    blobs,
    listing: { maxOnPage: 100 },
    keep,
  }
  const books = openBooks(context, (event) => void post(event))
  const life = openLife(books)
  const standIn: StandIn = {
    routes: [...apiRoutes(books, life, listener.url, keep<Remembered>('keys')), ...pageRoutes(books, life)],
    refusals: stripeRefusals,
    headers: () => ({ 'request-id': `req_${clock.now()}` }),
    posts: () => [],
    other: () => undefined,
  }
  const platform: Platform = {
    id: 'stripe',
    name: 'Stripe',
    tint: '#635bff',
    maxBodyBytes: 64 * 1024,
    build: () => standIn,
  }
  const faults = openFaults({ stripe: new Set(standIn.routes.map(({ operation }) => operation)) })
  const calls = openCalls()
  const closing = new AbortController()
  serve(listener, { platform, standIn, clock, faults, calls, closing: closing.signal })
  const ticking = webhookUrl ? setInterval(life.tick, tickMs) : undefined
  return {
    url: listener.url,
    faults,
    books,
    sign,
    calls: calls.list,
    charges: () => books.charges.values(),
    events: () => books.events.values(),
    tick: life.tick,
    async close() {
      clearInterval(ticking)
      closing.abort()
      await listener.close()
    },
  }
}

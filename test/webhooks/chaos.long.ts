import { afterAll, beforeAll, expect, test } from 'vitest'
import { equal } from '../../shared/db/expression.ts'
import { queryAll } from '../../shared/db/table.ts'
import { eventTypes } from '../../shared/events/types.ts'
import { type Delivery, deliveries } from '../../shared/webhooks/deliveries/lifecycle/row.ts'
import { expired, misnamed, trust } from '../net/certificates.ts'
import { type NameServer, startNameServer } from '../net/name-server.ts'
import { type Kit, start } from '../support/start.ts'
import { openLedger } from './chaos/ledger.ts'
import { eventsFor, latenciesMs, percentile, summarize } from './chaos/measure.ts'
import { type EmittedEvent, emitEvents } from './chaos/tell.ts'
import { addFaulty, build, type Tenant, type TenantEndpoint, typeFor } from './chaos/tenants.ts'
import { fickle, knownNames, quickForms, slowForms } from './receivers/forms.ts'
import type { Receiver } from './receivers/serve.ts'

/** The first six of a tenant subscribe to one type each; the others to two consecutive types, so that one can overtake the other. */
const typesFor = (k: number) => (k < 6 ? [typeFor(k)] : [typeFor(2 * k), typeFor(2 * k + 1)])
const plan = { tenantCount: 10, healthyEach: 8, typesFor }
const eventsWithout = 2000
const eventsWith = 10_000
/** What two cores carry with room to spare; a slower machine gets fewer events. */
const perSecond = 80
/** Receivers per event, on average: the types take turns. */
const healthyPerEvent =
  Array.from({ length: plan.healthyEach }, (_, k) => typesFor(k)).flat().length / eventTypes.length
const maxBehind = 150
const timeoutMs = 180_000

/** Every way of the receiver row, the four of 429 in one, and a name server that is silent. */
const ways = [
  '2xx that comes too late',
  '2xx whose body drips on',
  'silence',
  'a name without an address',
  'a reset',
  '302',
  '301 to the metadata of the cloud',
  '400',
  '410',
  '429 that asks for something else each time',
  '500 that asks to wait for two minutes, which only 429 and 503 may',
  'a body of 100 MB',
  'a body that unpacks to 100 MB',
  'a certificate that has expired',
  'a certificate of another name',
  'a self-signed certificate',
  'a name that is not there',
  'a name that leads inside',
  'HTTP/1.0',
  'a header with a forbidden character',
]
const forms = [...slowForms, ...quickForms, fickle].filter(({ title }) => ways.includes(title))

let kit: Kit
let names: NameServer
let ledger: Awaited<ReturnType<typeof openLedger>>
let receivers: Receiver[]
let distrust: () => void
beforeAll(async () => {
  distrust = trust(expired, misnamed)
  names = await startNameServer()
  for (const [name, answer] of Object.entries(knownNames)) names.setAnswer(name, answer)
  ledger = await openLedger()
  receivers = await Promise.all(forms.map((form) => form.serve()))
  // Names stand for the internet: only what has a port is on this machine.
  const origins = receivers.map(({ url }) => new URL(url).origin).filter((origin) => /:\d+$/.test(origin))
  kit = await start({ time: 'real', allowedOrigins: [ledger.origin, ...origins] })
})
afterAll(async () => {
  await kit.close()
  await Promise.all(receivers.map(({ close }) => close()))
  ledger.close()
  names.close()
  distrust()
})

/** How many deliveries a healthy receiver should have and has not. */
const missing = (tenants: readonly Tenant[], emitted: readonly EmittedEvent[]) =>
  latenciesMs(tenants, emitted).filter((ms) => !Number.isFinite(ms)).length

const arrivedIn = (tenants: readonly Tenant[]) =>
  tenants.flatMap(({ healthy }) => healthy).reduce((sum, { page }) => sum + (page?.arrivals.size ?? 0), 0)

/** Emits events, slower where the machine cannot keep up, and waits until the healthy endpoints have them all. */
const run = async (tenants: readonly Tenant[], name: string, count: number) => {
  const before = arrivedIn(tenants)
  const isBehind = (emitted: number) => emitted * healthyPerEvent - (arrivedIn(tenants) - before) > maxBehind
  const emitted = await emitEvents(kit.ctx, tenants, name, count, { perSecond, isBehind })
  await expect.poll(() => missing(tenants, emitted), { timeout: timeoutMs, interval: 1000 }).toBe(0)
  return emitted
}

/** The last attempt of each event in an endpoint's stored log. */
const deliveriesOf = async ({ workspace }: Tenant, { id: endpointId }: TenantEndpoint) => {
  const { PK } = deliveries.key({ workspaceId: workspace.id, endpointId, id: '' })
  const rows = await queryAll(kit.ctx, { key: equal('PK', PK) }, 100_000)
  return new Map(
    rows.map((item) => [deliveries.parse(item).eventId, { row: deliveries.parse(item), sweepAtMs: item['sweepAtMs'] }]),
  )
}

type Fate = { row: Delivery; sweepAtMs: unknown }

/** Finished, or with a time for the next check. */
const isAccountedFor = ({ row, sweepAtMs }: Fate) =>
  row.status === 'pending'
    ? row.nextAttemptAt !== undefined && typeof sweepAtMs === 'number'
    : ['succeeded', 'exhausted', 'discarded'].includes(row.status)

test('10,000 events to a hundred endpoints, twenty of them faulty in every way: none is lost, and each has an outcome', {
  timeout: 900_000,
}, async () => {
  expect(forms).toHaveLength(20)
  const tenants = await build(kit, plan, ledger)
  const alone = await run(tenants, 'without', eventsWithout)
  await addFaulty(
    tenants,
    forms.map(({ title: name }, n) => ({ name: name.slice(0, 80), url: receivers[n]?.url ?? '' })),
  )
  const emitted = await run(tenants, 'with', eventsWith)

  const [before, during] = [latenciesMs(tenants, alone), latenciesMs(tenants, emitted)]
  const ratio = percentile(during, 0.99) / percentile(before, 0.99)
  console.log(`healthy receivers alone: ${summarize(before)}`)
  console.log(`next to twenty faulty ones: ${summarize(during)}; ratio of p99 ${ratio.toFixed(2)}`)

  const ids = new Map(
    [...alone, ...emitted].map(({ event }) => [`${event.data['postId']} ${event.data['sequence']}`, event.id]),
  )
  let overtakings = 0
  for (const { page } of tenants.flatMap(({ healthy }) => healthy)) {
    expect(page?.unverified).toBe(0)
    for (const { subject, sequence, previousEventId, atMs } of page?.arrivals.values() ?? []) {
      expect(previousEventId).toBe(ids.get(`${subject} ${sequence - 1}`) ?? null)
      const previous = page?.arrivals.get(previousEventId ?? '')
      if (previous && previous.atMs > atMs) overtakings += 1
    }
  }
  console.log(`${overtakings} events came before the one they follow, which each of them shows`)

  const counts: Record<string, number> = {}
  for (const tenant of tenants) {
    for (const endpoint of tenant.faulty) {
      const log = await deliveriesOf(tenant, endpoint)
      const expectedIds = eventsFor(endpoint, tenant, emitted).map(({ event }) => event.id)
      // An endpoint that answered 410 gets nothing more.
      const missingIds = endpoint.name === '410' ? [] : expectedIds.filter((id) => !log.has(id))
      expect(missingIds, endpoint.name).toEqual([])
      expect(log.size, endpoint.name).toBeGreaterThan(0)
      const lost = [...log.values()].filter((fate) => !isAccountedFor(fate))
      expect(lost, endpoint.name).toEqual([])
      for (const { row } of log.values()) {
        const key = `${endpoint.name}: ${row.status}`
        counts[key] = (counts[key] ?? 0) + 1
      }
    }
  }
  console.log(counts)
})

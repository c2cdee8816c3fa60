import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, systemClock } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { eventTypes } from '../../shared/events/types.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { makeSeed } from '../support/seed.ts'
import { openLedger } from '../webhooks/chaos/ledger.ts'
import { inWords, latenciesMs } from '../webhooks/chaos/measure.ts'
import { type Told, tell } from '../webhooks/chaos/tell.ts'
import { build, type Tenant } from '../webhooks/chaos/tenants.ts'

/**
 * How many webhooks one process delivers over the embedded table with everything that is done on AWS: events in the outbox,
 * a row for each attempt before it is sent, claimed, sent, logged. First a steady rate, which tells the time from an
 * event's commit to the first byte at its receivers; then everything at once, which tells how fast the whole goes.
 * Numbers as arguments: deliveries a second, and for how many seconds.
 */
const [perSecond = 300, seconds = 20] = process.argv.slice(2).map(Number)
const plan = { tenantCount: 10, healthyEach: 10, typesFor: () => [...eventTypes] }

/** What the functions have done, by function and act. */
const effects = new Map<string, number>()
const ledger = await openLedger()
const folder = await synthesizeOnce()
const plenty = { calls: 100_000, perSeconds: 60 }
const service = await startService({
  clock: systemClock,
  polling: 'real',
  load: 'source',
  assembly: join(folder, 'assembly'),
  files: join(folder, 'files'),
  log: jsonLog((line) => process.stderr.write(line.includes('"error"') ? `${line}\n` : '')),
  rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
  allowedOrigins: [ledger.origin],
  observe: (effect, run) => {
    const name = `${effect.functionName} ${effect.action}`
    effects.set(name, (effects.get(name) ?? 0) + 1)
    return run()
  },
})
const { context: ctx, baseUrl: url } = service
const seed = await makeSeed(ctx)
const tenants: Tenant[] = await build({ ctx, url, user: seed.user, sessionToken: seed.sessionToken }, plan, ledger)

/** Waits for all that was told to arrive. */
const arrived = async (told: readonly Told[]) => {
  const isThere = ({ event }: Told) =>
    tenants.every(({ workspace, healthy }) =>
      workspace.id !== event.workspace.id ? true : healthy.every(({ page }) => page?.arrivals.has(event.id)),
    )
  while (!told.every(isThere)) await sleep(20)
}

const run = async (name: string, events: number, eventsPerSecond: number) => {
  effects.clear()
  const startedMs = performance.now()
  const told = await tell(ctx, tenants, name, events, { perSecond: eventsPerSecond })
  await arrived(told)
  const tookSeconds = (performance.now() - startedMs) / 1000
  const rate = (events * plan.healthyEach) / tookSeconds
  console.log(`${name}: ${rate.toFixed(0)} deliveries/s; ${inWords(latenciesMs(tenants, told))}`)
  const each = [...effects].map(([effect, times]) => `${effect} ${(times / events / plan.healthyEach).toFixed(2)}`)
  console.log(`  for each delivery: ${each.sort().join(', ')}`)
}

const events = Math.round((perSecond * seconds) / plan.healthyEach)
// Node runs faster once it has compiled what it does.
await run('warming up', 400, Number.POSITIVE_INFINITY)
await run(`asked for ${perSecond}/s`, events, perSecond / plan.healthyEach)
await run('all at once', events, Number.POSITIVE_INFINITY)
await service.close()
ledger.close()

import type { Context } from '../../context.ts'
import { absent, anyOf, equal } from '../../db/expression.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { type Outcome, requestedDelaySeconds } from '../deliveries/send-request.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { probeWaitMs } from './pace.ts'
import { changeHealth, type Health, healths, newHealth } from './row.ts'

/** So many failed attempts without a good one between them make an endpoint failing (reliability, A2.6). */
const failuresUntilFailing = 5
const sweepGraceMs = 60_000

/** What a row begins with, but for what the same write sets. */
const beginning = (endpoint: Endpoint, nowMs: number, ...without: readonly string[]) => {
  const { PK: _, SK: __, ttl: ___, ...fields } = healths.item(newHealth(endpoint, nowMs))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)))
}

/** An answer that takes long: from now on the endpoint goes a step at a time. */
export const recordSlow = (ctx: Context, endpoint: Endpoint): Promise<Health | undefined> => {
  const now = ctx.clock.now()
  return changeHealth(
    ctx,
    endpoint,
    { set: { state: 'slow', dueAtMs: now }, setOnce: beginning(endpoint, now, 'state', 'dueAtMs') },
    anyOf(absent('PK'), equal('state', 'watched')),
  )
}

const recordFailure = async (ctx: Context, endpoint: Endpoint, outcome: Outcome): Promise<void> => {
  const now = ctx.clock.now()
  const setOnce = { ...beginning(endpoint, now, 'failures'), failingSinceMs: now }
  const health = await changeHealth(ctx, endpoint, { setOnce, add: { failures: 1 } })
  if (!health || health.failures < failuresUntilFailing || health.state === 'failing' || health.state === 'closing')
    return
  const dueAtMs = now + probeWaitMs(0, requestedDelaySeconds(outcome))
  const set = { state: 'failing', turns: 0, dueAtMs, ...sweepAt(health.id, dueAtMs) }
  await changeHealth(ctx, health, { set }, equal('state', health.state))
}

const recordSuccess = async (ctx: Context, health: Health): Promise<boolean> => {
  const now = ctx.clock.now()
  const recovers = health.state === 'failing'
  if (!recovers && health.failures === 0) return false
  const well = { failures: 0, toldHours: 0 }
  const awake = {
    state: 'recovering',
    turns: 0,
    sinceMs: now,
    paceFromMs: now,
    dueAtMs: now,
    ...sweepAt(health.id, now + sweepGraceMs),
  }
  const set = recovers ? { ...well, ...awake } : well
  const changed = await changeHealth(ctx, health, { set, remove: ['failingSinceMs'] }, equal('state', health.state))
  return recovers && changed !== undefined
}

/**
 * Notes what an attempt says of its endpoint, of which `health` was known before it; true where what is parked may go out
 * now. A test that fails says nothing; one that succeeds is as good as any other delivery.
 */
export const recordOutcome = async (
  ctx: Context,
  endpoint: Endpoint,
  health: Health | undefined,
  outcome: Outcome,
  isTest: boolean,
): Promise<boolean> => {
  if (outcome.errorCode === null) return health === undefined ? false : recordSuccess(ctx, health)
  if (!isTest) await recordFailure(ctx, endpoint, outcome)
  return false
}

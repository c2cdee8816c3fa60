import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import type { Change, Condition } from '../../db/expression.ts'
import { revokedLease } from '../../db/lease.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { update, type Write } from '../../db/table.ts'
import { failuresUntilFailing, probeWaitMs } from './policy.ts'
import { firstFields, type Health, type HealthKey, healths, newHealth, ttlAt } from './row.ts'
import { mayFail, mayMarkSlow } from './state.ts'
import { healthLifecycle } from './transitions.ts'

/** Changes a row and extends its expiry; undefined if the condition does not hold. */
const changeHealth = async (
  ctx: Context,
  key: HealthKey,
  change: Change,
  when?: Condition,
): Promise<Health | undefined> => {
  const set = { ...change.set, ttl: ttlAt(ctx.clock.now()) }
  const item = await ifCurrent(update(ctx, healths.key(key), { ...change, set }, when))
  return item && healths.parse(item)
}

/** Counts a failed attempt. The fifth in a row makes the endpoint failing, and plans its first probe. */
const recordFailure = async (
  ctx: Context,
  endpoint: HealthKey,
  requestedDelaySeconds: number | undefined,
): Promise<void> => {
  const now = ctx.clock.now()
  const { failures: _, ...fields } = firstFields(endpoint, now)
  const setOnce = { ...fields, failingSinceMs: now }
  const health = await changeHealth(
    ctx,
    endpoint,
    healthLifecycle.change('countFailure', { setOnce, add: { failures: 1 } }),
  )
  if (!health || health.failures < failuresUntilFailing || !healthLifecycle.mayFollow('fail', health.state)) return
  const dueAtMs = now + probeWaitMs(0, requestedDelaySeconds)
  const set = { probeCount: 0, dueAtMs, ...sweepAt(health.id, dueAtMs) }
  await changeHealth(ctx, health, healthLifecycle.change('fail', { set, ...revokedLease }), mayFail)
}

/** Records the success of a failing endpoint; true if this attempt started the recovery. */
const startRecovery = async (ctx: Context, health: Health): Promise<boolean> => {
  const now = ctx.clock.now()
  const set = {
    recovery: { sinceMs: now, rampStartMs: now },
    failures: 0,
    dueAtMs: now,
    ...sweepAt(health.id, now + sweepGraceMs),
  }
  const changed = await changeHealth(
    ctx,
    health,
    healthLifecycle.change('startRecovery', { set, ...revokedLease }),
    healthLifecycle.when('startRecovery'),
  )
  return changed !== undefined
}

/** Resets the failures after a success; `health` is the state before the attempt. True if the drain has work now. */
const recordSuccess = async (ctx: Context, health: Health): Promise<boolean> => {
  if (health.state === 'failing') return startRecovery(ctx, health)
  if (health.failures > 0) {
    await changeHealth(
      ctx,
      health,
      healthLifecycle.change('succeed', { set: { failures: 0 } }),
      healthLifecycle.when('succeed'),
    )
  }
  return false
}

/** The result of an attempt, as far as it concerns its endpoint. */
interface AttemptResult {
  succeeded: boolean
  /** A test that fails does not count; one that succeeds counts like any other delivery. */
  isTest: boolean
  /** The delay that the receiver requested with Retry-After. */
  requestedDelaySeconds: number | undefined
}

/** Records an attempt; `health` is the state before it. True if parked deliveries can be sent now. */
export const recordOutcome = async (
  ctx: Context,
  endpoint: HealthKey,
  health: Health | undefined,
  { succeeded, isTest, requestedDelaySeconds }: AttemptResult,
): Promise<boolean> => {
  if (succeeded) return health === undefined ? false : recordSuccess(ctx, health)
  if (!isTest) await recordFailure(ctx, endpoint, requestedDelaySeconds)
  return false
}

/** A response is slow: from now on, the drain sends a few deliveries at a time. */
export const markSlow = async (ctx: Context, endpoint: HealthKey): Promise<void> => {
  const dueAtMs = ctx.clock.now()
  const { state: _, dueAtMs: __, ...setOnce } = firstFields(endpoint, dueAtMs)
  await changeHealth(
    ctx,
    endpoint,
    healthLifecycle.change('markSlow', { set: { dueAtMs }, setOnce, ...revokedLease }),
    mayMarkSlow,
  )
}

/** The health of an endpoint with a new receiver: the drain sends waiting deliveries. */
export const restarted = (endpoint: HealthKey, nowMs: number): Health => ({
  ...newHealth(endpoint, nowMs),
  state: healthLifecycle.to('restart'),
  recovery: { sinceMs: nowMs, rampStartMs: nowMs },
})

const resetWrite = (name: 'restart' | 'disable', health: Health): Write => {
  const { PK: _, SK: __, state: ___, ...fields } = healths.item(health)
  const set = { ...fields, ...sweepAt(health.id, health.dueAtMs) }
  return { update: healths.key(health), change: healthLifecycle.change(name, { set, ...revokedLease }) }
}

export const restartWrite = (health: Health): Write => resetWrite('restart', health)

/** The write that disables an endpoint: the drain discards waiting deliveries. */
export const disableWrite = (endpoint: HealthKey, nowMs: number): Write =>
  resetWrite('disable', newHealth(endpoint, nowMs))

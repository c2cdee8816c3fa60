import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { entity } from '../../db/entity.ts'
import { absent, allOf, anyOf, atMost, type Change, type Condition, equal } from '../../db/expression.ts'
import { sweepAt } from '../../db/sweep-at.ts'
import { ConditionFailed, update } from '../../db/table.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/**
 * `watched`: it answers, or failed a few times only. `slow`: a step at a time, so that it holds up nobody. `failing`: one
 * probe now and then, all else is parked. `recovering`: what was parked goes out, faster and faster. `closing`: switched
 * off, and what waits is dropped.
 */
export const healthStates = ['watched', 'slow', 'failing', 'recovering', 'closing'] as const

/** How a webhook endpoint fares; there is a row from its first failed or slow answer on. */
export const Health = z.object({
  /** The endpoint's. */
  id: z.string(),
  workspaceId: z.string(),
  state: z.enum(healthStates),
  /** Since when it is in this state, where that is recovering. */
  sinceMs: z.number(),
  /** Since when it recovers without a failure. */
  paceFromMs: z.number(),
  /** Before this nothing is done for it. */
  dueAtMs: z.number(),
  /** Failed attempts since the last good one, and when the first of them was. */
  failures: z.int(),
  failingSinceMs: z.optional(z.number()),
  /** Steps made in this state: probes of a failing endpoint, last looks after one that is well again. */
  turns: z.int(),
  /** Hours of the last notice to the owner. */
  toldHours: z.int(),
  leaseUntilMs: z.optional(z.number()),
  ttl: z.number(),
})
export type Health = z.infer<typeof Health>

export const healths = entity({
  type: 'EndpointHealth',
  shape: Health,
  key: ({ workspaceId, id }: Pick<Health, 'workspaceId' | 'id'>) => ({ PK: `WS#${workspaceId}`, SK: `HEALTH#${id}` }),
})

/** Longer than a function may run: where it ends, its holder is dead. */
const leaseMs = 60_000
const sweepGraceMs = 15_000
const keptDays = 30

const ttlAt = (nowMs: number) => Math.ceil(nowMs / 1000) + keptDays * 86_400

/** The row of an endpoint that nothing is known against. */
export const newHealth = ({ workspaceId, id }: Pick<Endpoint, 'workspaceId' | 'id'>, nowMs: number): Health => ({
  id,
  workspaceId,
  state: 'watched',
  sinceMs: nowMs,
  paceFromMs: nowMs,
  dueAtMs: nowMs,
  failures: 0,
  turns: 0,
  toldHours: 0,
  ttl: ttlAt(nowMs),
})

/** Changes a row, where the condition holds; undefined where it does not. */
export const changeHealth = async (
  ctx: Context,
  of: Pick<Health, 'workspaceId' | 'id'>,
  change: Change,
  when?: Condition,
): Promise<Health | undefined> => {
  const ttl = ttlAt(ctx.clock.now())
  try {
    return healths.parse(await update(ctx, healths.key(of), { ...change, set: { ...change.set, ttl } }, when))
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/** Takes an endpoint for one step; undefined where somebody else has it or its state has changed. */
export const leaseEndpoint = (ctx: Context, health: Health): Promise<Health | undefined> => {
  const now = ctx.clock.now()
  const leaseUntilMs = now + leaseMs
  return changeHealth(
    ctx,
    health,
    { set: { leaseUntilMs, ...sweepAt(health.id, leaseUntilMs + sweepGraceMs) } },
    allOf(equal('state', health.state), anyOf(absent('leaseUntilMs'), atMost('leaseUntilMs', now))),
  )
}

/** Gives an endpoint back after a step, as long as it is held; with a change only where its state is what it was. */
export const releaseEndpoint = (ctx: Context, held: Health, change?: Change): Promise<Health | undefined> => {
  const mine = equal('leaseUntilMs', held.leaseUntilMs)
  const { set, remove = [] } = change ?? {}
  return changeHealth(
    ctx,
    held,
    { ...(set ? { set } : {}), remove: ['leaseUntilMs', ...remove] },
    change ? allOf(mine, equal('state', held.state)) : mine,
  )
}

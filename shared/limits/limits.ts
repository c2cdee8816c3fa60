import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import type { Limit } from './count.ts'

export const limitNames = ['general', 'auth', 'cli', 'ai', 'provider', 'application'] as const
export type LimitName = (typeof limitNames)[number]

const LimitShape = z.strictObject({
  // A call's share of the time must be at least one microsecond.
  calls: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  perSeconds: z.int().check(z.minimum(1), z.maximum(86_400)),
})

/** The limits that an operator sets; null removes a limit. */
export const RateLimits = z.partialRecord(z.enum(limitNames), z.nullable(LimitShape))
export type RateLimits = z.infer<typeof RateLimits>

/** The limits if the operator sets none. */
export const specifiedLimits: Readonly<Record<LimitName, Limit>> = {
  general: { calls: 100, perSeconds: 60 },
  auth: { calls: 20, perSeconds: 900 },
  cli: { calls: 30, perSeconds: 900 },
  ai: { calls: 20, perSeconds: 60 },
  // Decided: Stripe sends several events for each change, and at the end of a month those of many workspaces together.
  provider: { calls: 1_000, perSeconds: 60 },
  // Decided: sixty child workspaces at their general limit. All calls of an application share one counter.
  application: { calls: 6_000, perSeconds: 60 },
}

/**
 * Whom a limit counts: the client's address, or the person behind a valid token, across all their tokens. A limit that
 * protects sign-in cannot be switched off by breaking its counter: it then rejects all calls (fails closed).
 */
export const limitPolicy: Readonly<Record<LimitName, { by: 'address' | 'person'; failsClosed: boolean }>> = {
  general: { by: 'person', failsClosed: false },
  auth: { by: 'address', failsClosed: true },
  cli: { by: 'address', failsClosed: true },
  ai: { by: 'person', failsClosed: false },
  provider: { by: 'address', failsClosed: false },
  application: { by: 'person', failsClosed: false },
}

const limits = perContext(
  (ctx): Readonly<Record<LimitName, Limit | null>> => ({
    ...specifiedLimits,
    ...z.parse(RateLimits, JSON.parse(ctx.env('RATE_LIMITS'))),
  }),
)

/** A limit as the operator sets it, or as specified; null if it is removed. */
export const limitOf = (ctx: Context, name: LimitName): Limit | null => limits(ctx)[name]

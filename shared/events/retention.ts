import type { Context } from '../context.ts'
import { dayMs } from '../time.ts'

/**
 * How long an event and the log of its attempts can be read, replayed, and redelivered (cdk.json,
 * webhookRetentionDays).
 */
export const retentionMs = (ctx: Context): number => Number(ctx.env('EVENT_RETENTION_DAYS')) * dayMs

/**
 * Rows outlive the retention period: a delivery or redelivery in its last moment still has 13 tries ahead, which take
 * 92 hours at most (76 h 42 m, each wait up to a fifth longer).
 */
const retryWindowMs = 5 * dayMs

/** The `ttl` of a row that is written now. */
export const expiryOf = (ctx: Context): number => Math.ceil((ctx.clock.now() + retentionMs(ctx) + retryWindowMs) / 1000)

/** Whether a row is past the retention period. */
export const isExpired = (ctx: Context, { ttl }: { ttl: number }): boolean =>
  ttl * 1000 - retryWindowMs <= ctx.clock.now()

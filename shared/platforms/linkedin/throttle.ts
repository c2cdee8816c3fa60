import { dayMs } from '../../time.ts'
import type { PlatformCall } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'

/**
 * LinkedIn reports a rate limit of a minute and the daily one with the same words. One that lasts for more than a minute
 * is that of the day, which ends at midnight, UTC (LinkedIn, Rate Limiting).
 */
export const throttled = ({ ctx, post }: PlatformCall, error: unknown): unknown => {
  const now = ctx.clock.now()
  const isLong = now - post.scheduledAtMs > 55_000
  if (!(error instanceof PlatformError) || error.errorClass !== 'rate' || !isLong) return error
  // Not all at the stroke of midnight.
  const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1000) + Math.round(Math.random() * 60)
  const text = 'LinkedIn daily limit reached for this account. Try again tomorrow.'
  return new PlatformError('quota', text, { ...error.facts, retryAfterSeconds })
}

import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'
import { countCall } from '../../limits/count.ts'
import { notCountedLine, rateLimitUnavailable } from '../../limits/refuse.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/**
 * The limit of tests of one endpoint. The receiver may belong to anyone, so a test that cannot be counted is rejected.
 */
const limit = { calls: 10, perSeconds: 60 }

/** Counts a test of an endpoint, for all callers together, or rejects it. */
export const countTestDelivery = async (ctx: Context, { id }: Endpoint): Promise<void> => {
  const standing = await countCall(ctx, `webhook-test#${id}`, limit).catch((error: unknown) => {
    ctx.log.error(notCountedLine, { limit: 'webhook-test', reason: String(error) })
    throw rateLimitUnavailable()
  })
  if (standing.passes) return
  const text = `A webhook endpoint accepts ${limit.calls} tests a minute. Retry after the seconds in Retry-After.`
  throw new Refusal('limited', text, { code: 'rate_limited', retryAfterSeconds: standing.retryAfterSeconds })
}

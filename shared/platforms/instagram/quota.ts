import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { callGraph } from '../graph/call.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { site } from './site.ts'

const Quota = z.object({
  data: z.tuple([
    z.object({
      quota_usage: z.number(),
      config: z.object({ quota_total: z.number(), quota_duration: z.number() }),
    }),
  ]),
})

/** What is left of the half minute a publication has. */
const readMs = 4_000

const readQuota = async ({ ctx, account }: PlatformCall) => {
  const { data } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{user}/content_publishing_limit',
    params: { user: account.externalId },
    query: { fields: 'quota_usage,config' },
    totalMs: readMs,
    reply: Quota,
  })
  return data[0]
}

const limitReached = /\/2207042$/

/** Meta documents different daily limits, so the account is queried (Instagram API, Content Publishing Limit). */
export const tellQuota = async (call: PlatformCall, refusal: unknown): Promise<unknown> => {
  if (!(refusal instanceof PlatformError) || !limitReached.test(refusal.facts.code ?? '')) return refusal
  try {
    const { quota_usage: used, config } = await readQuota(call)
    const hours = config.quota_duration / 3600
    const text = `Instagram posting limit reached for this account: ${used} of ${config.quota_total} posts in ${hours} hours. Try again later.`
    return new PlatformError('quota', text, refusal.facts)
  } catch (error) {
    if (error instanceof PlatformError) return refusal
    throw error
  }
}

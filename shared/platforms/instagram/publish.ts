import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { callGraph, isNotVisible } from '../graph/call.ts'
import { commentCalls } from '../graph/comments.ts'
import { containerStates, prepareContainers } from '../graph/containers.ts'
import { type Publishing, probeContainer, publishContainer } from '../graph/publish.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { definition } from './definition.ts'
import { mayPass } from './errors.ts'
import { planOf } from './plan.ts'
import { site } from './site.ts'

const Quota = z.object({
  data: z.tuple([
    z.object({
      quota_usage: z.number(),
      config: z.object({ quota_total: z.number(), quota_duration: z.number() }),
    }),
  ]),
})

/** The rest of the half minute that a publication has. */
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
const explainQuota = async (call: PlatformCall, refusal: unknown): Promise<unknown> => {
  if (!(refusal instanceof PlatformError) || !limitReached.test(refusal.info.code ?? '')) return refusal
  try {
    const { quota_usage: used, config } = await readQuota(call)
    const hours = config.quota_duration / 3600
    const text = `Instagram posting limit reached for this account: ${used} of ${config.quota_total} posts in ${hours} hours. Try again later.`
    return new PlatformError('quota', text, refusal.info)
  } catch (error) {
    if (error instanceof PlatformError) return refusal
    throw error
  }
}

const containers: Publishing = {
  site,
  path: '/{user}/media',
  publishPath: '/{user}/media_publish',
  listPath: ({ format }) => (format === 'story' ? '/{user}/stories' : '/{user}/media'),
  textField: 'caption',
  statusFields: 'status_code,status',
  status: z.pipe(
    z.object({ status_code: z.enum(containerStates), status: z.optional(z.string()) }),
    z.transform(({ status_code: state, status: message = '' }) => ({ state, message })),
  ),
  isUnseen: isNotVisible,
  mayPass,
  timeoutMs: 30 * minuteMs,
}

const explained = async <T>(call: PlatformCall, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    throw await explainQuota(call, error)
  }
}

/** Creates containers and waits for them; nothing of it is public. */
const prepare = (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> =>
  explained(call, () => prepareContainers(containers, call, planOf(call.ctx, call.post), resume))

const commit = (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> =>
  explained(call, () => publishContainer(containers, call, ref))

const probe = (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> =>
  probeContainer(containers, call, attempt)

/** Instagram: a container is created before the post's time and published at it, and shows for a day whether it was. */
export const instagram: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  readLagSeconds: 120,
  prepare,
  commit,
  // Newest first by default (Instagram API, IG Media Comments, 2025-01-21).
  commentCalls: commentCalls({ site, made: 'id', listed: 'id,from,text,timestamp' }),
  probe,
}

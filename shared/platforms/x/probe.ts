import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { unclearResponse } from '../http.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { callX } from './api.ts'
import { named } from './name.ts'
import { Tweet, tweetUrl } from './publish.ts'
import { fields, hasText, type Listed, madeAtMs, Timeline } from './timeline.ts'

/** How far X's clock and ours may be apart. */
const clockSkewMs = 5_000
/** X takes no `end_time` of the last seconds; up to here the timeline is read to now. */
const endSlackMs = 30_000

/** A moment as X takes it: to the second. */
const toSecond = (ms: number) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

/**
 * Looks for the tweet on the account's timeline: X remembers no key of ours. Only the minutes in which it can have
 * landed are read: reads are paid for, and so a busy account shows it on the first page.
 */
export const probe = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const { text } = z.parse(Tweet, attempt.ref)
  const { clock } = call.ctx
  const { fromMs, untilMs } = windowOf(attempt, clockSkewMs)
  const end = clock.now() > untilMs + endSlackMs ? { end_time: toSecond(untilMs) } : {}
  const query = { max_results: '100', exclude: 'retweets', start_time: toSecond(fromMs), ...end, ...fields }
  const seen = await lookBack<Listed, string>({
    clock,
    fromMs,
    async read(token) {
      const { data = [], meta } = await callX(call, {
        path: '/2/users/{id}/tweets',
        params: { id: call.account.externalId },
        query: token === undefined ? query : { ...query, pagination_token: token },
        totalMs: pageMs,
        reply: Timeline,
      })
      // An answer of errors alone has no `data` either.
      if (data.length < meta.result_count) throw unclearResponse({ platform: named }, 'fewer tweets than X counted')
      return { items: data, next: meta.next_token }
    },
    atMs: madeAtMs,
    isOurs: (tweet) => hasText(tweet, text),
  })
  if (seen.kind !== 'found') return seen
  const [{ id }] = seen.items
  return { kind: 'published', id, url: tweetUrl(call.account.username, id) }
}

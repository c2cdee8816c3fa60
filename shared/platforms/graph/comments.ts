import * as z from 'zod/mini'
import type { PlatformCall, PublishingCalls, UnconfirmedAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { callGraph, nextPage, Paging } from './call.ts'
import type { GraphSite } from './site.ts'

/** How comments of a platform read. */
interface CommentList {
  site: GraphSite
  /** The fields that are requested for a created comment, and for each in the list. */
  made: string
  listed: string
  /** Requests the newest comments first, where that is not the default. */
  order?: Readonly<Record<string, string>>
}

const Shown = z.pipe(
  z.object({
    id: z.string(),
    from: z.optional(z.object({ id: z.string() })),
    message: z.optional(z.string()),
    text: z.optional(z.string()),
    created_time: z.optional(z.string()),
    timestamp: z.optional(z.string()),
    permalink_url: z.optional(z.string()),
  }),
  z.transform(({ id, from, message, text = message, created_time, timestamp = created_time, permalink_url }) => ({
    id,
    from,
    text,
    url: permalink_url ?? null,
    atMs: timestamp === undefined ? Number.NaN : Date.parse(timestamp),
  })),
)
type Shown = z.infer<typeof Shown>
const Comments = z.object({ data: z.array(Shown), paging: Paging })

const createMs = 25_000
const pageSize = '50'
/** How far Meta's clock and ours may be apart. */
const clockSkewMs = 5_000

/** The first comment under the account's post. A repeat creates a second one: a lost one is searched among all comments. */
export const commentCalls = ({ site, made, listed, order }: CommentList): PublishingCalls => ({
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  findsByContent: () => true,
  async commit({ ctx, account, post }) {
    const { id, url } = await callGraph(ctx, site, {
      token: tokenOf(account),
      path: '/{object}/comments',
      params: { object: post.replyTo ?? '' },
      query: { fields: made },
      form: { message: post.text },
      creates: true,
      totalMs: createMs,
      reply: Shown,
    })
    return { id, url }
  },
  async probe({ ctx, account, post }: PlatformCall, attempt: UnconfirmedAttempt) {
    const { fromMs } = windowOf(attempt, clockSkewMs)
    const query = { fields: listed, limit: pageSize, ...order }
    const seen = await lookBack<Shown, string>({
      clock: ctx.clock,
      fromMs,
      async read(after) {
        const { data, paging } = await callGraph(ctx, site, {
          token: tokenOf(account),
          path: '/{object}/comments',
          params: { object: post.replyTo ?? '' },
          query: after === undefined ? query : { ...query, after },
          totalMs: pageMs,
          reply: Comments,
        })
        return { items: data, next: nextPage(paging) }
      },
      atMs: ({ atMs }) => atMs,
      isOurs: ({ from, text = '' }) =>
        (from?.id ?? account.externalId) === account.externalId && text.trim() === post.text.trim(),
    })
    if (seen.kind !== 'found') return seen
    const [{ id, url }] = seen.items
    return { kind: 'published', id, url }
  },
})

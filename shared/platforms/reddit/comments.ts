import * as z from 'zod/mini'
import type { PublishingCalls } from '../adapter.ts'
import { lookBack, windowOf } from '../look-back.ts'
import type { PublishedPost } from '../post.ts'
import { callReddit, clockSkewMs, maxPages, pageSize } from './api.ts'

const Comment = z.object({ name: z.string(), permalink: z.optional(z.string()) })
const Made = z.object({
  json: z.object({ data: z.object({ things: z.array(z.object({ data: Comment })).check(z.minLength(1)) }) }),
})
const Listed = z.extend(Comment, { link_id: z.string(), body: z.string(), created_utc: z.number() })
const Listing = z.object({
  data: z.object({ children: z.array(z.object({ data: Listed })), after: z.nullish(z.string()) }),
})

const landed = ({ name, permalink }: z.infer<typeof Comment>): PublishedPost => ({
  id: name,
  url: permalink === undefined ? null : `https://www.reddit.com${permalink}`,
})

/** A repeat creates a second comment: a lost one is searched among the account's comments, newest first. */
export const commentCalls: PublishingCalls = {
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  findsByContent: () => true,
  async commit({ ctx, account, post }) {
    const form = { api_type: 'json', thing_id: post.replyTo ?? '', text: post.text }
    const request = { path: '/api/comment', form, creates: true, totalMs: 15_000, reply: Made }
    const [made] = (await callReddit(ctx, account, request)).json.data.things
    return made === undefined ? { id: null, url: null } : landed(made.data)
  },
  async probe({ ctx, account, post }, attempt) {
    const query = { limit: pageSize, sort: 'new' }
    const seen = await lookBack<z.infer<typeof Listed>, string>({
      clock: ctx.clock,
      fromMs: windowOf(attempt, clockSkewMs).fromMs,
      maxPages,
      async read(after) {
        const { data } = await callReddit(ctx, account, {
          path: '/user/{name}/comments',
          params: { name: account.username ?? '' },
          query: after === undefined ? query : { ...query, after },
          totalMs: 5_000,
          reply: Listing,
        })
        return { items: data.children.map((child) => child.data), next: data.after ?? undefined }
      },
      // Reddit returns whole seconds.
      atMs: ({ created_utc: seconds }) => seconds * 1000,
      isOurs: ({ link_id: link, body }) => link === post.replyTo && body.trim() === post.text.trim(),
    })
    return seen.kind === 'found' ? { kind: 'published', ...landed(seen.items[0]) } : seen
  },
}

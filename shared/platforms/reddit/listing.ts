import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { lookBack, windowOf } from '../look-back.ts'
import { callReddit } from './api.ts'

const Post = z.object({
  name: z.string(),
  title: z.string(),
  subreddit: z.string(),
  permalink: z.string(),
  created_utc: z.number(),
})
const Submitted = z.object({
  data: z.object({ children: z.array(z.object({ data: Post })), after: z.nullish(z.string()) }),
})

const pageSize = '100'
/** No listing of Reddit goes back further than 1,000 posts, and that end is none: read are 900 at most. */
const maxPages = 9
/** How far Reddit's clock and ours may be apart. */
const clockSkewMs = 5_000

/** What is looked for among one's own posts. */
export interface Wanted {
  subreddit: string
  title: string
}

/** Looks for a post among the account's own since an attempt, newest first. */
export const findOwn = async (
  { ctx, account }: PlatformCall,
  { subreddit, title }: Wanted,
  attempt: Pick<UnsettledAttempt, 'startedAtMs' | 'firstStartedAtMs'>,
): Promise<ProbeResult> => {
  const query = { limit: pageSize, sort: 'new' }
  const seen = await lookBack<z.infer<typeof Post>, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    maxPages,
    async read(after) {
      const { data } = await callReddit(ctx, account, {
        path: '/user/{name}/submitted',
        params: { name: account.username ?? '' },
        query: after === undefined ? query : { ...query, after },
        totalMs: 5_000,
        reply: Submitted,
      })
      return { items: data.children.map((child) => child.data), next: data.after ?? undefined }
    },
    // Reddit returns whole seconds.
    atMs: ({ created_utc: seconds }) => seconds * 1000,
    isOurs: (post) => post.title === title && post.subreddit.toLowerCase() === subreddit.toLowerCase(),
  })
  if (seen.kind !== 'found') return seen
  const [{ name, permalink }] = seen.items
  return { kind: 'published', id: name, url: `https://www.reddit.com${permalink}` }
}

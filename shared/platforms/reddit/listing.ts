import * as z from 'zod/mini'
import type { Landed, PlatformCall } from '../platform.ts'
import { callReddit } from './api.ts'

const Submitted = z.object({
  data: z.object({
    children: z.array(
      z.object({
        data: z.object({
          name: z.string(),
          title: z.string(),
          subreddit: z.string(),
          permalink: z.string(),
          created_utc: z.number(),
        }),
      }),
    ),
  }),
})

const pageSize = 25
/** How far Reddit's clock and ours may be apart. */
const skewSeconds = 5

/** What is looked for among one's own posts. */
export interface Wanted {
  subreddit: string
  title: string
}

/** The post among the newest of the account's own; `whole` tells whether everything since then was seen. */
export const findOwn = async (
  { ctx, account }: PlatformCall,
  { subreddit, title }: Wanted,
  sinceMs: number,
): Promise<{ found: Landed | undefined; whole: boolean }> => {
  const { data } = await callReddit(ctx, account, {
    path: '/user/{name}/submitted',
    params: { name: account.username ?? '' },
    query: { limit: String(pageSize), sort: 'new' },
    totalMs: 5_000,
    reply: Submitted,
  })
  const since = sinceMs / 1000 - skewSeconds
  const posts = data.children.map((child) => child.data)
  const ours = posts.find(
    (post) =>
      post.created_utc >= since && post.title === title && post.subreddit.toLowerCase() === subreddit.toLowerCase(),
  )
  const whole = posts.length < pageSize || posts.some(({ created_utc }) => created_utc < since)
  return { found: ours && { id: ours.name, url: `https://www.reddit.com${ours.permalink}` }, whole }
}

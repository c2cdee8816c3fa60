import * as z from 'zod/mini'
import type { PlatformCall, UnsettledAttempt } from '../adapter.ts'
import { lookBack, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { readYouTube } from './api.ts'

const Item = z.object({
  snippet: z.object({ title: z.string(), publishedAt: z.string() }),
  contentDetails: z.object({ videoId: z.string() }),
})
const Items = z.object({ items: z.array(Item), nextPageToken: z.optional(z.string()) })

/** How far YouTube's clock and ours may be apart. */
const clockSkewMs = 5_000

/**
 * Finds an upload by its title among those since an attempt; the last resort where a session is gone (YouTube Data API,
 * playlistItems.list).
 */
export const findUpload = (call: PlatformCall, title: string, attempt: UnsettledAttempt) => {
  const { ctx, account } = call
  const playlistId = String(account.details['uploads'] ?? '')
  const query = { part: 'snippet,contentDetails', playlistId, maxResults: '50' }
  return lookBack<z.infer<typeof Item>, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(pageToken) {
      const { items, nextPageToken: next } = await readYouTube(ctx, {
        path: '/playlistItems',
        token: tokenOf(account),
        query: pageToken === undefined ? query : { ...query, pageToken },
        reply: Items,
      })
      return { items, next }
    },
    atMs: ({ snippet }) => Date.parse(snippet.publishedAt),
    isOurs: ({ snippet }) => snippet.title.trim() === title.trim(),
  })
}

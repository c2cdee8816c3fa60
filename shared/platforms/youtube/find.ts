import * as z from 'zod/mini'
import { tokenOf } from '../oauth.ts'
import type { PlatformCall } from '../platform.ts'
import { readYouTube } from './api.ts'

const Items = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ title: z.string(), publishedAt: z.string() }),
      contentDetails: z.object({ videoId: z.string() }),
    }),
  ),
})

/** How far YouTube's clock and ours may be apart. */
const slackMs = 5_000

/** The newest upload with a title, made since a moment; the last resort where a session is gone (platforms-b, 5.4). */
export const findUpload = async (call: PlatformCall, title: string, sinceMs: number): Promise<string | undefined> => {
  const { ctx, account } = call
  const playlistId = String(account.details['uploads'] ?? '')
  const query = { part: 'snippet,contentDetails', playlistId, maxResults: '10' }
  const { items } = await readYouTube(ctx, { path: '/playlistItems', token: tokenOf(account), query, reply: Items })
  const found = items.find(
    ({ snippet }) => snippet.title.trim() === title.trim() && Date.parse(snippet.publishedAt) >= sinceMs - slackMs,
  )
  return found?.contentDetails.videoId
}

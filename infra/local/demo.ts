import * as z from 'zod/mini'
import { type Account, listLive } from './demo/accounts.ts'
import { makeBoard } from './demo/board.ts'
import { type Caller, call } from './demo/caller.ts'
import { uploadPicture } from './demo/upload.ts'
import { watchEvents } from './demo/watch-events.ts'
import { Post, watchPost } from './demo/watch-post.ts'
import type { Demo } from './seed.ts'
import type { Service } from './service.ts'
import type { Print } from './start/progress.ts'

const leadMs = 8_000
const patienceMs = 30_000

const Channels = z.object({ channels: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })) })

/** What the platforms of these accounts want to know beside the text. */
const metadataFor = async (caller: Caller, accounts: readonly Account[]): Promise<Record<string, unknown>> => {
  if (!accounts.some(({ providerId }) => providerId === 'discord')) return {}
  const { channels } = await call(caller, 'GET /api/social-accounts/discord/channels', Channels)
  const channel = channels.find(({ type }) => type === 'text')
  return channel === undefined ? {} : { discord: { channelId: channel.id, channelName: channel.name } }
}

const schedule = async (caller: Caller, accounts: readonly Account[]) => {
  const mediaId = await uploadPicture(caller)
  const metadata = await metadataFor(caller, accounts)
  // A full second reads better, and is as good as any.
  const scheduledAtMs = Math.ceil((Date.now() + leadMs) / 1000) * 1000
  const posts = await call(caller, 'POST /api/posts/schedule', z.array(Post), {
    socialAccountIds: accounts.map(({ id }) => id),
    content: 'Good evening! This was scheduled, and went out to the second. #hello https://example.com',
    scheduledAt: new Date(scheduledAtMs).toISOString(),
    mediaUrls: [mediaId],
    metadata,
  })
  return { posts, scheduledAtMs }
}

const nameOf = (accounts: readonly Account[], id: string): string => {
  const account = accounts.find((one) => one.id === id)
  return account === undefined ? id : `${account.providerName} ${account.displayName ?? ''}`.trim()
}

/** Does the main job once before the user's eyes; answers what went wrong. */
export const showMainJob = async (
  service: Service,
  demo: Demo,
  print: Print,
  columns: number | undefined,
): Promise<string[]> => {
  const caller = { baseUrl: service.baseUrl, token: demo.pat, workspaceId: demo.workspaceId }
  const accounts = await listLive(caller)
  const { posts, scheduledAtMs } = await schedule(caller, accounts)
  const width = Math.max(...accounts.map(({ id }) => nameOf(accounts, id).length))
  const named = posts.map((post) => ({ post, name: nameOf(accounts, post.socialAccountId).padEnd(width) }))

  print('\nA post with a picture, scheduled a few seconds ahead:\n')
  const board = makeBoard(print, columns)
  const watching = named.map((one) => watchPost(caller, service.platformsUrl, { ...one, scheduledAtMs }, board))
  const problems = (await Promise.all(watching)).flat()

  print('\nThe signed webhooks that tell of it:\n')
  const expected = named.flatMap(({ post, name }) =>
    ['post.scheduled', 'post.published'].map((type) => ({ postId: post.id, type, name })),
  )
  const untilMs = scheduledAtMs + patienceMs
  const missing = await watchEvents(service.inboxUrl, 'demo', expected, untilMs, makeBoard(print, columns))
  return [...problems, ...missing]
}

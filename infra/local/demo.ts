import * as z from 'zod/mini'
import { type Account, listLive } from './demo/accounts.ts'
import { makeBoard } from './demo/board.ts'
import { type Caller, call } from './demo/caller.ts'
import { metadataFor } from './demo/metadata.ts'
import type { Demo } from './demo/seed.ts'
import { uploadImage, uploadVideo } from './demo/upload.ts'
import { watchEvents } from './demo/watch-events.ts'
import { Post, watchPosts } from './demo/watch-posts.ts'
import type { Print } from './progress.ts'
import type { Service } from './service.ts'

/** Containers and videos take a few seconds to be ready. */
const leadMs = 12_000
const timeoutMs = 30_000

/** Each run posts a new text, because platforms reject duplicates. */
const textFor = (momentMs: number) =>
  `Good evening! Scheduled for ${new Date(momentMs).toISOString()}, and out to the second. #hello https://example.com`

/** Platforms that require a video. */
const videoPlatforms = ['tiktok', 'youtube'] as const

const schedule = async (caller: Caller, accounts: readonly Account[]) => {
  const platforms = accounts.map(({ providerId }) => providerId)
  const mediaUrls = [await uploadImage(caller)]
  const filmed = videoPlatforms.filter((platform) => platforms.includes(platform))
  const videos = filmed.length > 0 ? [await uploadVideo(caller)] : []
  // A full second reads better, and is as good as any.
  const scheduledAtMs = Math.ceil((Date.now() + leadMs) / 1000) * 1000
  const text = textFor(scheduledAtMs)
  const metadata = await metadataFor(caller, platforms, text)
  const posts = await call(caller, 'POST /api/posts/schedule', z.array(Post), {
    socialAccountIds: accounts.map(({ id }) => id),
    content: text,
    scheduledAt: new Date(scheduledAtMs).toISOString(),
    mediaUrls,
    platformMedia: Object.fromEntries(filmed.map((platform) => [platform, videos])),
    metadata,
  })
  return { posts, scheduledAtMs }
}

const nameOf = (accounts: readonly Account[], id: string): string => {
  const account = accounts.find((candidate) => candidate.id === id)
  return account === undefined ? id : `${account.providerName} ${account.displayName ?? ''}`.trim()
}

/** Runs the main journey once and shows it; returns what went wrong. */
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
  const watched = posts.map((post) => ({ post, name: nameOf(accounts, post.socialAccountId).padEnd(width) }))

  print('\nA post with a picture, or a film where nothing else is taken, scheduled a few seconds ahead:\n')
  const board = makeBoard(print, columns)
  const problems = await watchPosts(caller, service.platformsUrl, watched, scheduledAtMs, board)

  print('\nThe signed webhooks:\n')
  const expected = watched.flatMap(({ post, name }) =>
    ['post.scheduled', 'post.published'].map((type) => ({ postId: post.id, type, name })),
  )
  const untilMs = scheduledAtMs + timeoutMs
  const missing = await watchEvents(service.inboxUrl, 'demo', expected, untilMs, makeBoard(print, columns))
  return [...problems, ...missing]
}

import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef, PublishingCalls, UnconfirmedAttempt } from '../adapter.ts'
import { lookBack, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callYouTube } from './api.ts'

const Thread = z.object({ id: z.string() })
const Listed = z.object({
  id: z.string(),
  snippet: z.object({
    topLevelComment: z.object({
      snippet: z.object({
        authorChannelId: z.optional(z.object({ value: z.string() })),
        textOriginal: z.optional(z.string()),
        publishedAt: z.optional(z.string()),
      }),
    }),
  }),
})
const Threads = z.object({ items: z.array(Listed), nextPageToken: z.optional(z.string()) })
const Videos = z.object({
  items: z.optional(z.array(z.object({ status: z.object({ uploadStatus: z.optional(z.string()) }) }))),
})

/** How far YouTube's clock and ours may be apart. */
const clockSkewMs = 5_000
/** A video that is not found for this long after its time is deleted: in its first seconds, it is not visible everywhere. */
const goneMs = 10 * minuteMs
/** A video is processed in minutes to hours, and each look costs one unit of 10,000 a day. */
const waitSecondsOf = (ageMs: number) => Math.min(900, Math.max(60, Math.floor(ageMs / 1000)))

const snippetOf = ({ topLevelComment }: z.infer<typeof Listed>['snippet']) => topLevelComment.snippet

const landed = (videoId: string, id: string): PublishedPost => ({
  id,
  url: `https://www.youtube.com/watch?v=${videoId}&lc=${id}`,
})

/**
 * Waits until YouTube has processed the video: before that, it accepts no comments (YouTube Data API, videos resource,
 * status).
 */
const prepare = async ({ ctx, account, post }: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const query = { part: 'status', id: post.replyTo ?? '' }
  const { items = [] } = await callYouTube(ctx, { path: '/videos', token: tokenOf(account), query, reply: Videos })
  const ageMs = ctx.clock.now() - post.scheduledAtMs
  // The first look never decides: the post may have been late.
  if (items.length === 0 && resume !== undefined && ageMs > goneMs)
    throw new PlatformError('invalid', 'YouTube no longer has the video.')
  const [{ status } = { status: { uploadStatus: 'uploaded' } }] = items
  const { uploadStatus = 'processed' } = status
  if (uploadStatus === 'processed') return { ready: {}, expiresAtMs: Number.MAX_SAFE_INTEGER }
  if (uploadStatus === 'uploaded') return { waitSeconds: waitSecondsOf(ageMs), resume: resume ?? {} }
  throw new PlatformError('invalid', `YouTube did not process the video: ${uploadStatus}.`)
}

const rejected = (error: unknown): unknown =>
  error instanceof PlatformError && (error.errorClass === 'invalid' || error.errorClass === 'blocked')
    ? new PlatformError(error.errorClass, `YouTube rejected the comment: ${error.info.detail}`, error.info)
    : error

/** A repeat creates a second comment: a lost one is searched among those of the video, newest first. */
export const commentCalls: PublishingCalls = {
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  findsByContent: () => true,
  prepare,
  async commit({ ctx, account, post }) {
    const videoId = post.replyTo ?? ''
    const topLevelComment = { snippet: { textOriginal: post.text } }
    const { id } = await callYouTube(ctx, {
      path: '/commentThreads',
      token: tokenOf(account),
      query: { part: 'snippet' },
      json: { snippet: { channelId: account.externalId, videoId, topLevelComment } },
      reply: Thread,
    }).catch((error: unknown) => {
      throw rejected(error)
    })
    return landed(videoId, id)
  },
  async probe({ ctx, account, post }, attempt: UnconfirmedAttempt) {
    const videoId = post.replyTo ?? ''
    const query = { part: 'snippet', videoId, order: 'time', maxResults: '100', textFormat: 'plainText' }
    const seen = await lookBack<z.infer<typeof Listed>, string>({
      clock: ctx.clock,
      fromMs: windowOf(attempt, clockSkewMs).fromMs,
      async read(pageToken) {
        const { items, nextPageToken: next } = await callYouTube(ctx, {
          path: '/commentThreads',
          token: tokenOf(account),
          query: pageToken === undefined ? query : { ...query, pageToken },
          reply: Threads,
        })
        return { items, next }
      },
      atMs: ({ snippet }) => Date.parse(snippetOf(snippet).publishedAt ?? ''),
      isOurs({ snippet }) {
        const { authorChannelId, textOriginal = '' } = snippetOf(snippet)
        return authorChannelId?.value === account.externalId && textOriginal.trim() === post.text.trim()
      },
    })
    return seen.kind === 'found' ? { kind: 'published', ...landed(videoId, seen.items[0].id) } : seen
  },
}

import * as z from 'zod/mini'
import type { PlatformCall, PreparedRef, ProbeResult, UnconfirmedAttempt } from '../adapter.ts'
import { callGraph, nextPage, Paging } from '../graph/call.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { site } from './site.ts'

export const PhotoStory = z.object({ format: z.literal('photo_story'), photo: z.string() })

/** The response of the calls that publish stories. */
export const StoryReply = z.object({ success: z.literal(true), post_id: z.optional(z.union([z.string(), z.number()])) })

const Listed = z.object({
  post_id: z.optional(z.union([z.string(), z.number()])),
  media_id: z.string(),
  creation_time: z.union([z.string(), z.number()]),
  url: z.optional(z.string()),
})
const List = z.object({ data: z.array(Listed), paging: Paging })

const pageSize = '100'
const landedOf = ({ post_id: id, url }: z.infer<typeof Listed>): PublishedPost => ({
  id: id === undefined ? null : String(id),
  url: url ?? null,
})

/** The story of a photo or video, which belongs to no other (Facebook Stories API, v25.0). */
const findStory = ({ ctx, account }: PlatformCall, media: string, fromMs: number, maxPages?: number) =>
  lookBack<z.infer<typeof Listed>, string>({
    clock: ctx.clock,
    fromMs,
    ...(maxPages === undefined ? {} : { maxPages }),
    async read(after) {
      const query = { since: String(Math.floor(fromMs / 1000)), limit: pageSize }
      const { data, paging } = await callGraph(ctx, site, {
        token: tokenOf(account),
        path: '/{page}/stories',
        params: { page: account.externalId },
        query: after === undefined ? query : { ...query, after },
        totalMs: pageMs,
        reply: List,
      })
      return { items: data, next: nextPage(paging) }
    },
    atMs: ({ creation_time: seconds }) => Number(seconds) * 1000,
    isOurs: ({ media_id: id }) => id === media,
  })

/** How far Facebook's clock and ours may be apart. */
export const clockSkewMs = 60_000

/** The address of a published story: only the list of stories contains it. */
export const readStory = async (call: PlatformCall, media: string, fromMs: number): Promise<PublishedPost> => {
  try {
    const seen = await findStory(call, media, fromMs - clockSkewMs, 1)
    return seen.kind === 'found' ? landedOf(seen.items[0]) : { id: null, url: null }
  } catch (error) {
    // The story is live, whatever the result of this read.
    if (error instanceof PlatformError) return { id: null, url: null }
    throw error
  }
}

/** The call and the read after it end within the half minute that a publication has. */
const createMs = 18_000

/** Turns an unpublished photo into a story. */
export const publishPhotoStory = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { ctx, account } = call
  const { photo } = z.parse(PhotoStory, ref)
  const startedMs = ctx.clock.now()
  const { post_id: id } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{page}/photo_stories',
    params: { page: account.externalId },
    form: { photo_id: photo },
    creates: true,
    totalMs: createMs,
    reply: StoryReply,
  })
  const { url, id: listed } = await readStory(call, photo, startedMs)
  return { id: id === undefined ? listed : String(id), url }
}

/** Looks for the photo among the stories of the page. */
export const probePhotoStory = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { photo } = z.parse(PhotoStory, attempt.ref)
  const seen = await findStory(call, photo, windowOf(attempt, clockSkewMs).fromMs)
  return seen.kind === 'found' ? { kind: 'published', ...landedOf(seen.items[0]) } : seen
}

import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import { hourMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { mediaAddress } from '../files.ts'
import { accountError, callGraph, isNotVisible, nextPage, Paging } from '../graph/call.ts'
import { commentCalls } from '../graph/comments.ts'
import { removalAt } from '../graph/remove.ts'
import { linksIn } from '../links.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import type { PublishedPost } from '../post.ts'
import { postGone } from '../removal.ts'
import { definition, FacebookMetadata } from './definition.ts'
import { site } from './site.ts'
import { clockSkewMs, probePhotoStory, publishPhotoStory } from './stories.ts'
import { prepareVideo, probeVideo, publishVideo } from './videos.ts'

/** The content of a post. A probe also looks for this, whatever the post has become since. */
const FeedPost = z.object({ text: z.string(), photos: z.array(z.string()) })
type FeedPost = z.infer<typeof FeedPost>

/** Photos that no post shows are removed after about a day (Graph API, Page Photos). */
const preparedMs = 20 * hourMs
const createMs = 25_000

const uploadPhoto = async ({ ctx, account }: PlatformCall, file: MediaFile): Promise<string> => {
  const alt = file.altText ? { alt_text_custom: file.altText } : {}
  const form = { url: mediaAddress(ctx, file), published: 'false', ...alt }
  const params = { page: account.externalId }
  const reply = z.object({ id: z.string() })
  return (await callGraph(ctx, site, { token: tokenOf(account), path: '/{page}/photos', params, form, reply })).id
}

/** Uploads the files unpublished. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const { format } = z.parse(FacebookMetadata, post.metadata ?? {})
  if (format !== undefined && format !== 'photo_story') return prepareVideo(call, format, resume)
  const photos = await Promise.all(post.media.map((file) => uploadPhoto(call, file)))
  const [photo = ''] = photos
  const ready = format === 'photo_story' ? { format, photo } : { text: post.text, photos }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** A link and photos cannot be combined: with photos the link stays in the text. */
const attachments = ({ text, photos }: FeedPost): Record<string, string> => {
  const [link] = linksIn(text)
  if (photos.length === 0) return link === undefined ? {} : { link }
  return Object.fromEntries(photos.map((id, n) => [`attached_media[${n}]`, JSON.stringify({ media_fbid: id })]))
}

/** The address of a post, also if Facebook does not return it. */
const addressOf = (id: string, permalink: string | undefined): string => permalink ?? `https://www.facebook.com/${id}`

/** Posts text or photos to the page's feed. */
const publishInFeed = async ({ ctx, account }: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const prepared = z.parse(FeedPost, ref)
  const message = prepared.text === '' ? {} : { message: prepared.text }
  const { id, permalink_url: permalink } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{page}/feed',
    params: { page: account.externalId },
    query: { fields: 'id,permalink_url' },
    form: { ...message, ...attachments(prepared) },
    creates: true,
    totalMs: createMs,
    reply: z.object({ id: z.string(), permalink_url: z.optional(z.string()) }),
  })
  return { id, url: addressOf(id, permalink) }
}

const pageSize = '100'

const Target = z.object({ target: z.optional(z.object({ id: z.optional(z.string()) })) })

const Published = z.object({
  paging: Paging,
  data: z.array(
    z.object({
      id: z.string(),
      from: z.optional(z.object({ id: z.string() })),
      message: z.optional(z.string()),
      created_time: z.string(),
      permalink_url: z.optional(z.string()),
      attachments: z.optional(
        z.object({
          data: z.array(z.extend(Target, { subattachments: z.optional(z.object({ data: z.array(Target) })) })),
        }),
      ),
    }),
  ),
})
type Shown = z.infer<typeof Published>['data'][number]

const photosOf = ({ attachments }: Shown): Set<string | undefined> =>
  new Set(
    attachments?.data.flatMap((attachment) =>
      [attachment, ...(attachment.subattachments?.data ?? [])].map(({ target }) => target?.id),
    ),
  )

/** A photo can be used in one post only, so it identifies the post; texts are compared in the form that Facebook stores. */
const isOurs = (shown: Shown, { text, photos }: FeedPost): boolean => {
  const there = photosOf(shown)
  return photos.length > 0 ? photos.every((id) => there.has(id)) : (shown.message ?? '').trim() === text.trim()
}

const fields = 'id,from,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}'

/**
 * The posts that the page itself has published, newest first: its feed would show those of visitors as well, and needs
 * `pages_read_user_content` (Graph API, Page Feed and Page Published Posts, v25.0).
 */
const probeFeed = async ({ ctx, account }: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const prepared = z.parse(FeedPost, attempt.ref)
  const { fromMs } = windowOf(attempt, clockSkewMs)
  const query = { fields, since: String(Math.floor(fromMs / 1000)), limit: pageSize }
  const seen = await lookBack<Shown, string>({
    clock: ctx.clock,
    fromMs,
    async read(after) {
      const { data, paging } = await callGraph(ctx, site, {
        token: tokenOf(account),
        path: '/{page}/published_posts',
        params: { page: account.externalId },
        query: after === undefined ? query : { ...query, after },
        totalMs: pageMs,
        reply: Published,
      })
      return { items: data, next: nextPage(paging) }
    },
    atMs: ({ created_time: at }) => Date.parse(at),
    isOurs: (shown) => (shown.from?.id ?? account.externalId) === account.externalId && isOurs(shown, prepared),
  })
  if (seen.kind !== 'found') return seen
  const [ours, ...others] = seen.items
  if (others.length > 0) return { kind: 'published', id: null, url: null }
  return { kind: 'published', id: ours.id, url: addressOf(ours.id, ours.permalink_url) }
}

/** Changes the text of a post, or of a video or reel, which this service made (Graph API, Page Post and Video, v25.0). */
const edit = async ({ ctx, account, post }: PlatformCall, id: string): Promise<void> => {
  const { format } = z.parse(FacebookMetadata, post.metadata ?? {})
  const form = format === undefined ? { message: post.text } : { description: post.text }
  const request = { token: tokenOf(account), path: '/{post}', params: { post: id }, form, reply: z.unknown() }
  await callGraph(ctx, site, request).catch(async (error: unknown) => {
    if (!isNotVisible(error)) throw error
    const { externalId } = account
    const why = await accountError(ctx, site, { token: tokenOf(account), id: externalId, error })
    throw why ?? postGone(definition.name, error.info)
  })
}

/** The preparation defines the type of the post, whatever the post has become since. */
const kindOf = ({ format }: PreparedRef) =>
  format === undefined ? 'feed' : format === 'photo_story' ? 'photo_story' : 'video'

const publishers = { feed: publishInFeed, photo_story: publishPhotoStory, video: publishVideo }
const probes = { feed: probeFeed, photo_story: probePhotoStory, video: probeVideo }

/**
 * Facebook Pages: a repeat in the feed is not harmless, but the Page's posts and stories, or the video itself, show whether
 * a post is live.
 */
export const facebook: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit: (call, ref) => publishers[kindOf(ref)](call, ref),
  findsByContent: ({ media }) => media.length === 0,
  commentCalls: commentCalls({
    site,
    made: 'id,permalink_url',
    listed: 'id,from,message,created_time,permalink_url',
    order: { order: 'reverse_chronological' },
  }),
  remove: removalAt(site),
  edit,
  probe: (call, attempt) => probes[kindOf(attempt.ref)](call, attempt),
}

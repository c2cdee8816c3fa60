import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { pageMs } from '../look-back.ts'
import { classified, PlatformError } from '../platform-error.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { callWordPress } from './api.ts'
import { commentCalls } from './comments.ts'
import { contentOf } from './content.ts'
import { definition, WordPressMetadata } from './definition.ts'
import { type Library, prepareFiles, readFiles, slugOf } from './media.ts'
import { termsOf } from './terms.ts'

/** A draft stays until someone deletes it. It is updated if it was prepared longer ago than this. */
const preparedMs = 12 * hourMs

const metadataOf = ({ metadata }: OutgoingPost): WordPressMetadata => z.parse(WordPressMetadata, metadata ?? {})

/** The image that themes show with the post: the named one, or the first one. */
const featuredOf = ({ media, assets }: OutgoingPost) =>
  assets['featuredMediaAssetId'] ?? media.find(({ mimeType }) => mimeType.startsWith('image/'))

/**
 * The text with the files. The first image is not repeated if it is the featured one, unless there is no text: WordPress
 * accepts no post without content.
 */
const bodyOf = (post: OutgoingPost, library: Library): string => {
  const isNamed = post.assets['featuredMediaAssetId'] !== undefined
  const apart = isNamed || post.text.trim() === '' ? undefined : featuredOf(post)
  const shown = post.media.filter((file) => file.id !== apart?.id)
  return contentOf(
    post.text,
    shown.flatMap((file) => library.get(file.id) ?? []),
  )
}

const Ready = z.object({ draft: z.int() })
const WithId = z.object({ id: z.int() })

/** The draft of a post whose response was lost, or that was created for an earlier version. */
const findDraft = async ({ ctx, account, post }: PlatformCall): Promise<number | undefined> => {
  const query = { status: 'draft', slug: slugOf(post), context: 'edit', _fields: 'id' }
  const drafts = await callWordPress(ctx, account, { path: '/wp/v2/posts', query, reply: z.array(WithId) })
  return drafts[0]?.id
}

const draftFields = async (call: PlatformCall, library: Library) => {
  const { post } = call
  const { title = '', excerpt = '', format = 'standard', isSticky = false, ...terms } = metadataOf(post)
  const featured = featuredOf(post)
  const image = featured && library.get(featured.id)
  return {
    status: 'draft',
    title,
    excerpt,
    format,
    sticky: isSticky,
    content: bodyOf(post, library),
    featured_media: image?.id ?? 0,
    ...(await termsOf(call, terms)),
  }
}

/** Uploads the files and writes a draft; nothing of it is public. A draft has no date until it is published. */
const prepare = async (call: PlatformCall): Promise<Prepared> => {
  const { ctx, account, post } = call
  const library = await prepareFiles(call)
  if (library === undefined) return { waitSeconds: 1, resume: {} }
  const [draft, fields] = [await findDraft(call), await draftFields(call, library)]
  const { id } = await callWordPress(ctx, account, {
    method: 'POST',
    ...(draft === undefined
      ? { path: '/wp/v2/posts' }
      : { path: '/wp/v2/posts/{post}', params: { post: String(draft) } }),
    query: { _fields: 'id' },
    body: { json: { ...fields, ...(draft === undefined ? { slug: slugOf(post) } : {}) } },
    reply: WithId,
  })
  return { ready: { draft: id }, expiresAtMs: ctx.clock.now() + preparedMs }
}

const Post = z.object({ id: z.int(), status: z.string(), link: z.nullish(z.string()) })
const _fields = 'id,status,link'

const landed = ({ id, link }: z.infer<typeof Post>): PublishedPost => ({ id: String(id), url: link ?? null })

const dropped = (error: unknown): unknown =>
  error instanceof PlatformError && error.info.notFound
    ? classified(definition.name, ['transient', 'dropped the prepared post.', { preparedGone: true }], error.info)
    : error

/** Publishes the draft, now; the slug becomes that of the author, or the one that WordPress derives from the title. */
const commit = async ({ ctx, account, post }: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { draft } = z.parse(Ready, ref)
  const published = await callWordPress(ctx, account, {
    method: 'POST',
    path: '/wp/v2/posts/{post}',
    params: { post: String(draft) },
    query: { _fields },
    body: { json: { status: 'publish', slug: metadataOf(post).slug ?? '' } },
    creates: true,
    reply: Post,
  }).catch((error: unknown) => {
    throw dropped(error)
  })
  if (published.status === 'publish') return landed(published)
  const text = `WordPress site did not publish the post: its status is "${published.status}". A plugin may hold it for review.`
  throw new PlatformError('blocked', text)
}

/** The post itself shows whether it is published. A missing one may have been published and then deleted. */
const probe = async ({ ctx, account }: PlatformCall, { ref }: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { draft } = z.parse(Ready, ref)
  const params = { post: String(draft) }
  const request = { path: '/wp/v2/posts/{post}', params, query: { context: 'edit', _fields }, totalMs: pageMs }
  const post = await callWordPress(ctx, account, { ...request, reply: Post }).catch((error: unknown) => {
    if (error instanceof PlatformError && error.info.notFound) return undefined
    throw error
  })
  if (post === undefined || post.status === 'trash') return { kind: 'unprovable' }
  return post.status === 'publish' ? { kind: 'published', ...landed(post) } : { kind: 'absent' }
}

const isGone = ({ notFound }: PlatformError['info']) => notFound === true

const Removed = z.object({ code: z.optional(z.string()) })

/** Moves the post to the trash; deletes it if the site has no trash. */
const remove = ({ ctx, account }: PlatformCall, post: string): Promise<void> => {
  const request = { method: 'DELETE', path: '/wp/v2/posts/{post}', params: { post }, reply: Removed } as const
  const trash = async () => {
    const { code } = await callWordPress(ctx, account, { ...request, accepts: [501] })
    if (code !== undefined) await callWordPress(ctx, account, { ...request, query: { force: 'true' } })
  }
  return removed(trash(), isGone)
}

/** Rewrites the text, with the files of the post that the site still has; title and excerpt if they are named. */
const edit = (call: PlatformCall, post: string): Promise<void> => {
  const { ctx, account } = call
  const change = async () => {
    const { title, excerpt } = metadataOf(call.post)
    const content = bodyOf(call.post, await readFiles(call))
    await callWordPress(ctx, account, {
      method: 'POST',
      path: '/wp/v2/posts/{post}',
      params: { post },
      query: { _fields: 'id' },
      body: {
        json: { content, ...(title === undefined ? {} : { title }), ...(excerpt === undefined ? {} : { excerpt }) },
      },
      reply: z.unknown(),
    })
  }
  return edited(change(), definition.name, isGone)
}

/** WordPress: a draft is made before the moment and published at it, and says for as long as it exists whether it was. */
export const wordpress: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  readLagSeconds: 30,
  prepare,
  commit,
  commentCalls,
  remove,
  edit,
  probe,
}

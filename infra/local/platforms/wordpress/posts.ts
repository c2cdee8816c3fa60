import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Call, type PublicPost, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { editable, listPage } from './list.ts'
import type { openMedia } from './media.ts'
import { refuse } from './refuse.ts'
import { type WordPressUser, wordpressSeed } from './seed.ts'
import type { openTerms } from './terms.ts'
import type { openUsers } from './users.ts'

/** The fields of a post (REST API Handbook, Posts). */
const Sent = z.strictObject({
  status: z.optional(z.enum(['publish', 'draft'])),
  title: z.optional(z.string()),
  content: z.optional(z.string()),
  excerpt: z.optional(z.string()),
  slug: z.optional(z.string()),
  format: z.optional(
    z.enum(['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio']),
  ),
  sticky: z.optional(z.boolean()),
  featured_media: z.optional(z.int()),
  categories: z.optional(z.array(z.int())),
  tags: z.optional(z.array(z.int())),
})
type Sent = z.infer<typeof Sent>

interface StoredPost {
  id: number
  owner: number
  status: 'draft' | 'publish' | 'trash'
  title: string
  content: string
  excerpt: string
  slug: string
  format: string
  isSticky: boolean
  featured: number
  categories: number[]
  tags: number[]
  publishedAtMs?: number
}

const plain = (html: string) =>
  html
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/<figure.*?<\/figure>/gs, '')
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#91;/g, '[')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim()
    .replace(/\n{2,}/g, '\n\n')

const slugFrom = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

/** Whether a call requests raw texts, which only users who may change them get. */
const isEdit = ({ query }: Call): boolean => query.get('context') === 'edit'

/** Posts: drafts that are published, changed, and put into the trash. */
export function openPosts(
  { clock, keep, listing }: SimulatorContext,
  users: ReturnType<typeof openUsers>,
  nextId: () => number,
  { media, terms }: { media: ReturnType<typeof openMedia>; terms: ReturnType<typeof openTerms> },
) {
  const posts = keep<StoredPost>('posts')
  const { userOf } = users

  function readBody(call: Call): Sent {
    const sent = Sent.safeParse(
      parseJson(call.body, () => refuse(400, 'rest_invalid_json', 'Invalid JSON body passed.')),
    )
    return sent.success
      ? sent.data
      : refuse(400, 'rest_invalid_param', `Invalid parameter(s): ${sent.error.issues[0]?.path.join('.')}`)
  }
  function uniqueSlug(slug: string, id: number): string {
    const isTaken = (name: string) => posts.values().some((post) => post.id !== id && post.slug === name)
    let name = slug
    for (let n = 2; isTaken(name); n += 1) name = `${slug}-${n}`
    return name
  }
  function apply(post: StoredPost, sent: Sent, user: WordPressUser): StoredPost {
    if (sent.status === 'publish' && user.capabilities['publish_posts'] !== true) {
      refuse(403, 'rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.')
    }
    if (sent.featured_media && !media.has(sent.featured_media)) {
      refuse(400, 'rest_invalid_featured_media', 'Invalid featured media ID.')
    }
    const next: StoredPost = {
      ...post,
      status: sent.status ?? post.status,
      title: sent.title ?? post.title,
      content: sent.content ?? post.content,
      excerpt: sent.excerpt ?? post.excerpt,
      format: sent.format ?? post.format,
      isSticky: sent.sticky ?? post.isSticky,
      featured: sent.featured_media ?? post.featured,
      categories: sent.categories ?? post.categories,
      tags: sent.tags ?? post.tags,
    }
    if (`${next.title}${next.content}${next.excerpt}` === '') {
      refuse(400, 'empty_content', 'Content, title, and excerpt are empty.')
    }
    // A draft without a slug has none; one that is published gets one from its title.
    const slug = sent.slug ?? post.slug
    const isPublic = next.status === 'publish'
    next.slug = uniqueSlug(slug === '' && isPublic ? slugFrom(next.title) || String(post.id) : slug, post.id)
    if (isPublic && next.categories.length === 0) next.categories = [1]
    // A draft has no date until it is published.
    if (isPublic && post.publishedAtMs === undefined) next.publishedAtMs = clock.now()
    return next
  }
  function make(call: Call): Answer {
    const user = userOf(call)
    const none = { title: '', content: '', excerpt: '', slug: '', format: 'standard', isSticky: false, featured: 0 }
    const empty = { ...none, id: nextId(), owner: user.id, status: 'draft', categories: [], tags: [] } as const
    const post = apply({ ...empty, categories: [], tags: [] }, readBody(call), user)
    posts.set(String(post.id), post)
    return { status: 201, body: show(post) }
  }
  function own(call: Call): StoredPost {
    const user = userOf(call)
    const post = posts.get(call.params['id'] ?? '')
    if (post === undefined) return refuse(404, 'rest_post_invalid_id', 'Invalid post ID.')
    if (post.owner === user.id || user.capabilities['edit_others_posts'] === true) return post
    return refuse(403, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.')
  }
  function update(call: Call): Answer {
    const next = apply(own(call), readBody(call), userOf(call))
    posts.set(String(next.id), next)
    return { status: 200, body: show(next) }
  }
  /** Anyone may read public posts, but not in their raw form. */
  function read(call: Call): Answer {
    const post = posts.get(call.params['id'] ?? '')
    const isOpen = post?.status === 'publish' && !isEdit(call)
    return { status: 200, body: isOpen ? show(post, false) : show(own(call), isEdit(call)) }
  }
  /** Moves a post to the trash; with `force`, deletes it for good. */
  function remove(call: Call): Answer {
    const post = own(call)
    if (call.query.get('force') === 'true') {
      posts.delete(String(post.id))
      return { status: 200, body: { deleted: true, previous: show(post) } }
    }
    if (post.status === 'trash') refuse(410, 'rest_already_trashed', 'The post has already been deleted.')
    const next: StoredPost = { ...post, status: 'trash', slug: `${post.slug}__trashed` }
    posts.set(String(post.id), next)
    return { status: 200, body: show(next) }
  }
  function list(call: Call): Answer {
    const [slug, status] = [call.query.get('slug'), call.query.get('status') ?? 'publish']
    const user = users.find(call)
    if (status !== 'publish' && user?.capabilities['edit_posts'] !== true) {
      const detail = {
        code: 'rest_forbidden_status',
        message: 'Status is forbidden.',
        data: { status: user ? 403 : 401 },
      }
      const data = { params: { status: detail.message }, details: { status: detail } }
      refuse(400, 'rest_invalid_param', 'Invalid parameter(s): status', data)
    }
    const matching = posts.values().filter((post) => post.status === status && (slug === null || post.slug === slug))
    return listPage(listing, call, matching.toReversed(), (post) => show(post, isEdit(call)))
  }
  const urlOf = ({ id, slug, status }: StoredPost) =>
    `https://${wordpressSeed.site}/${status === 'publish' ? `${slug}/` : `?p=${id}`}`
  /** Written posts are returned in raw form; read posts only on request. */
  function show(post: StoredPost, isEdited = true): Record<string, unknown> {
    const { id, status, slug, title, content, excerpt, publishedAtMs, owner, categories, tags } = post
    const date = new Date(publishedAtMs ?? clock.now()).toISOString().slice(0, 19)
    const text = (raw: string, rendered = raw) => (isEdited ? { raw, rendered } : { rendered })
    return {
      id,
      status,
      slug,
      link: urlOf(post),
      type: 'post',
      author: owner,
      template: '',
      meta: { footnotes: '' },
      date,
      date_gmt: date,
      modified: date,
      modified_gmt: date,
      guid: text(`https://${wordpressSeed.site}/?p=${id}`),
      title: text(title),
      content: { ...text(content), protected: false },
      excerpt: { ...text(excerpt, excerpt === '' ? '' : `<p>${excerpt}</p>\n`), protected: false },
      featured_media: post.featured,
      format: post.format,
      sticky: post.isSticky,
      categories,
      tags,
      comment_status: 'open',
      ping_status: 'open',
    }
  }
  function toPublicPost(post: StoredPost): PublicPost {
    const { title, excerpt, format, isSticky, featured, content } = post
    const categories = terms.categoryNames(post.categories).filter((name) => name !== 'Uncategorized')
    const tags = terms.tagNames(post.tags)
    const user = wordpressSeed.users.find(({ id }) => id === post.owner)
    return {
      account: `${user?.username}@${wordpressSeed.site}`,
      text: plain(content),
      media: media.toPublic(featured, content),
      replyTo: null,
      url: urlOf(post),
      publishedAt: post.publishedAtMs ?? 0,
      extras: [
        ...(title === '' ? [] : [`title: ${title}`]),
        ...(excerpt === '' ? [] : [`excerpt: ${excerpt}`]),
        ...(format === 'standard' ? [] : [`format: ${format}`]),
        ...(isSticky ? ['sticky'] : []),
        ...(featured === 0 ? [] : ['featured image']),
        ...(categories.length === 0 ? [] : [`categories: ${categories.join(', ')}`]),
        ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
      ],
    }
  }
  /** A post that the owner writes at the site. */
  function other(_owner: string, text: string): void {
    const id = nextId()
    posts.set(String(id), {
      id,
      owner: 2,
      status: 'publish',
      title: '',
      content: `<p>${text}</p>`,
      excerpt: '',
      slug: `p-${id}`,
      format: 'standard',
      isSticky: false,
      featured: 0,
      categories: [1],
      tags: [],
      publishedAtMs: clock.now(),
    })
  }
  const at = '/wp/v2/posts'
  const routes: Route[] = [
    { method: 'POST', path: at, operation: 'draft', answer: make },
    { method: 'GET', path: at, operation: 'drafts', answer: list },
    ...editable({
      method: 'POST',
      path: `${at}/:id`,
      operation: 'create',
      // The publishing call also requests the result.
      when: (_headers, query) => (query.get('_fields') ?? '').includes('status'),
      answer: update,
    }),
    ...editable({ method: 'POST', path: `${at}/:id`, operation: 'edit', answer: update }),
    { method: 'GET', path: `${at}/:id`, operation: 'read', answer: read },
    { method: 'DELETE', path: `${at}/:id`, operation: 'delete', answer: remove },
  ]
  const isPublic = ({ status }: StoredPost) => status === 'publish'
  return {
    routes,
    other,
    posts: () => posts.values().filter(isPublic).map(toPublicPost),
    /** The address of a public post. */
    urlOf(id: string): string | undefined {
      const post = posts.get(id)
      return post === undefined || !isPublic(post) ? undefined : urlOf(post)
    },
  }
}

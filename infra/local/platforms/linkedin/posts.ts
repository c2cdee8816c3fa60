import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import type { LinkedInMedia } from './media.ts'
import { readInput, refuse } from './refuse.ts'
import { shownText } from './shown-text.ts'

const Image = z.strictObject({ id: z.string(), altText: z.optional(z.string().check(z.maxLength(4086))) })

const Article = z.strictObject({
  source: z.url(),
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  description: z.optional(z.string().check(z.maxLength(256))),
  thumbnail: z.optional(z.string()),
})

const Poll = z.strictObject({
  question: z.string().check(z.minLength(1), z.maxLength(140)),
  options: z
    .array(z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(30)) }))
    .check(z.minLength(2), z.maxLength(4)),
  settings: z.strictObject({ duration: z.enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS']) }),
})

const PostInput = z.strictObject({
  author: z.string(),
  commentary: z.string().check(z.minLength(1)),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS']),
  distribution: z.strictObject({
    feedDistribution: z.literal('MAIN_FEED'),
    targetEntities: z.array(z.unknown()),
    thirdPartyDistributionChannels: z.array(z.unknown()),
  }),
  content: z.optional(
    z.union([
      z.strictObject({ media: z.extend(Image, { title: z.optional(z.string()) }) }),
      z.strictObject({
        multiImage: z.strictObject({ images: z.array(Image).check(z.minLength(2), z.maxLength(20)) }),
      }),
      z.strictObject({ poll: Poll }),
      z.strictObject({ article: Article }),
    ]),
  ),
  reshareContext: z.optional(z.strictObject({ parent: z.string() })),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean(),
})
type PostInput = z.infer<typeof PostInput>

export interface LinkedInPost {
  urn: string
  author: string
  commentary: string
  shown: string
  images: { id: string; altText?: string | undefined; title?: string | undefined }[]
  createdAt: number
}

const imagesOf = (content: Exclude<NonNullable<PostInput['content']>, { poll: unknown }>): LinkedInPost['images'] => {
  if ('media' in content) return [content.media]
  if ('multiImage' in content) return content.multiImage.images
  return content.article.thumbnail === undefined ? [] : [{ id: content.article.thumbnail }]
}

/** What a reader sees below the text of a post, in lines. */
const linesOf = ({ content }: PostInput): string[] => {
  if (content === undefined) return []
  if ('article' in content)
    return [content.article.title, content.article.description ?? [], content.article.source].flat()
  if (!('poll' in content)) return []
  const { question, options } = content.poll
  return [question, ...options.map(({ text }) => `( ) ${text}`)]
}

const PostPatch = z.strictObject({
  patch: z.strictObject({ $set: z.strictObject({ commentary: z.string().check(z.minLength(1)) }) }),
})

const repeatMs = 10 * minuteMs

interface Rights {
  assertOwner(call: Call, owner: string): void
  assertReader(call: Call): void
}

/** Keeps a post of an author. */
export function addPost(
  { clock }: SimulatorContext,
  posts: StoredMap<LinkedInPost>,
  made: Pick<LinkedInPost, 'author' | 'commentary' | 'shown' | 'images'>,
): string {
  const urn = `urn:li:share:${BigInt(`0x7${randomBytes(7).toString('hex')}`)}`
  posts.set(urn, { urn, ...made, createdAt: clock.now() })
  return urn
}

const maxListed = 100

export interface LinkedInComment {
  id: string
  post: string
  actor: string
  text: string
  createdAt: number
}

const CommentInput = z.strictObject({
  actor: z.string(),
  object: z.string(),
  message: z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(1250)) }),
})

/** Comments: each call creates one, and only pages may read them. */
export function openComments(
  { clock, listing }: SimulatorContext,
  posts: StoredMap<LinkedInPost>,
  comments: StoredMap<LinkedInComment>,
  { assertOwner, assertReader }: Rights,
): Route[] {
  const path = '/rest/socialActions/:urn/comments'
  const postOf = (call: Call): LinkedInPost =>
    posts.get(call.params['urn'] ?? '') ?? refuse(404, 'NOT_FOUND', 'Post not found')
  const show = ({ id, post, actor, text, createdAt }: LinkedInComment) => ({
    id,
    actor,
    object: post,
    commentUrn: `urn:li:comment:(${post},${id})`,
    message: { text },
    created: { actor, time: createdAt },
  })

  function create(call: Call): Answer {
    const { urn } = postOf(call)
    const { actor, object, message } = readInput(call, CommentInput)
    assertOwner(call, actor)
    if (object !== urn) refuse(400, 'INVALID_VALUE_FOR_FIELD', 'object is not what is commented on')
    const id = String(BigInt(`0x6${randomBytes(7).toString('hex')}`))
    const comment = { id, post: urn, actor, text: message.text, createdAt: clock.now() }
    comments.set(id, comment)
    return { status: 201, headers: { 'x-restli-id': id }, body: show(comment) }
  }

  function list(call: Call): Answer {
    const { urn } = postOf(call)
    assertReader(call)
    const start = Number(call.query.get('start') ?? 0)
    const count = Number(call.query.get('count') ?? 10)
    if (!(count >= 1 && count <= maxListed)) refuse(400, 'INVALID_VALUE_FOR_FIELD', 'count must be 1 to 100')
    const under = comments.values().filter(({ post }) => post === urn)
    const { items } = pageOf(listing, under, start, count)
    return { status: 200, body: { paging: { start, count }, elements: items.map(show) } }
  }

  return [
    { method: 'POST', path, operation: 'comment', answer: create },
    { method: 'GET', path, operation: 'comments', answer: list },
  ]
}

/** Posts: created once for each text, read by those who look after a page. */
export function openPosts(
  context: SimulatorContext,
  posts: StoredMap<LinkedInPost>,
  media: StoredMap<LinkedInMedia>,
  { assertOwner, assertReader }: Rights,
): Route[] {
  const { clock, listing } = context

  function mediaOf({ content, author }: PostInput): LinkedInPost['images'] {
    if (content === undefined || 'poll' in content) return []
    const images = imagesOf(content)
    for (const { id } of images) {
      const one = media.values().find(({ urn }) => urn === id)
      if (one?.owner !== author) refuse(400, 'INVALID_VALUE_FOR_FIELD', `${id} is no media of the author`)
      if (one?.readyAt == null || one.readyAt > clock.now()) refuse(400, 'MEDIA_ERROR', `${id} is not ready`)
      if (one?.kind === 'document' && !('media' in content && content.media.title)) {
        refuse(400, 'MISSING_FIELD', 'A document needs a title')
      }
      if (!('media' in content) && one?.kind !== 'image') refuse(400, 'INVALID_VALUE_FOR_FIELD', 'Images only')
    }
    return images
  }

  function create(call: Call): Answer {
    const input = readInput(call, PostInput)
    assertOwner(call, input.author)
    if (input.visibility !== 'PUBLIC' && input.author.startsWith('urn:li:organization:')) {
      refuse(400, 'INVALID_VALUE_FOR_FIELD', 'Posts of an organization are PUBLIC')
    }
    const shown = shownText(input.commentary)
    if (shown.length > 3000) refuse(400, 'FIELD_LENGTH_TOO_LONG', 'commentary is longer than 3000 characters')
    const images = mediaOf(input)
    if (input.reshareContext && posts.get(input.reshareContext.parent) === undefined) {
      refuse(400, 'INVALID_VALUE_FOR_FIELD', `${input.reshareContext.parent} is no post`)
    }
    if (input.reshareContext && input.content) refuse(400, 'INVALID_VALUE_FOR_FIELD', 'A reshare has no content')
    const since = clock.now() - repeatMs
    const first = posts
      .values()
      .find((post) => post.author === input.author && post.commentary === input.commentary && post.createdAt > since)
    if (first) refuse(422, 'DUPLICATE_POST', `Content is a duplicate of ${first.urn}`)
    const { author, commentary } = input
    const urn = addPost(context, posts, { author, commentary, shown: [shown, ...linesOf(input)].join('\n'), images })
    return { status: 201, headers: { 'x-restli-id': urn } }
  }

  function assertPage(call: Call, author: string): void {
    if (author.startsWith('urn:li:person:'))
      refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: GET /posts')
    assertOwner(call, author)
  }

  const show = ({ urn, author, commentary, createdAt }: LinkedInPost) => ({ id: urn, author, commentary, createdAt })

  function read(call: Call): Answer {
    const post = posts.get(call.params['urn'] ?? '')
    assertReader(call)
    if (post === undefined) return refuse(404, 'NOT_FOUND', 'Post not found')
    assertPage(call, post.author)
    return { status: 200, body: show(post) }
  }

  /** Also for a missing post (Posts API, Delete Posts). */
  function remove(call: Call): Answer {
    const urn = call.params['urn'] ?? ''
    const post = posts.get(urn)
    if (post !== undefined) {
      assertOwner(call, post.author)
      posts.delete(urn)
    }
    return { status: 204 }
  }

  /** Only documented fields can change (Posts API, Update Posts). */
  function update(call: Call): Answer {
    const { patch } = readInput(call, PostPatch)
    const post = posts.get(call.params['urn'] ?? '') ?? refuse(404, 'NOT_FOUND', 'Post not found')
    assertOwner(call, post.author)
    const { commentary } = patch.$set
    const shown = shownText(commentary)
    if (shown.length > 3000) refuse(400, 'FIELD_LENGTH_TOO_LONG', 'commentary is longer than 3000 characters')
    const [, ...lines] = post.shown.slice(shownText(post.commentary).length).split('\n')
    posts.set(post.urn, { ...post, commentary, shown: [shown, ...lines].join('\n') })
    return { status: 204 }
  }

  function list(call: Call): Answer {
    const author = call.query.get('author') ?? ''
    if (call.query.get('q') !== 'author') refuse(400, 'INVALID_VALUE_FOR_FIELD', 'q must be author')
    assertPage(call, author)
    const own = posts.values().filter((post) => post.author === author)
    const start = Number(call.query.get('start') ?? 0)
    const count = Number(call.query.get('count') ?? 10)
    if (!(count >= 1 && count <= maxListed)) refuse(400, 'INVALID_VALUE_FOR_FIELD', 'count must be 1 to 100')
    const { items } = pageOf(listing, own.toReversed(), start, count)
    return { status: 200, body: { paging: { start, count }, elements: items.map(show) } }
  }

  return [
    { method: 'POST', path: '/rest/posts', operation: 'create', answer: create },
    { method: 'GET', path: '/rest/posts', operation: 'read', answer: list },
    {
      method: 'POST',
      path: '/rest/posts/:urn',
      operation: 'edit',
      when: (headers) => headers['x-restli-method']?.toUpperCase() === 'PARTIAL_UPDATE',
      answer: update,
    },
    { method: 'DELETE', path: '/rest/posts/:urn', operation: 'delete', answer: remove },
    { method: 'GET', path: '/rest/posts/:urn', operation: 'read', answer: read },
  ]
}

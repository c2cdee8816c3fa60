import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Call, type PublicPost, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { listPage } from './list.ts'
import type { openPosts } from './posts.ts'
import { refuse } from './refuse.ts'
import { wordpressSeed } from './seed.ts'
import type { openUsers } from './users.ts'

interface StoredComment {
  id: number
  post: number
  author: number
  content: string
  commentedAtMs: number
}

const Sent = z.strictObject({ post: z.int(), content: z.string().check(z.minLength(1)) })

const plain = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Comments of users under posts of the site. */
export function openComments(
  { clock, keep, listing }: SimulatorContext,
  { userOf, find }: ReturnType<typeof openUsers>,
  posts: ReturnType<typeof openPosts>,
) {
  const comments = keep<StoredComment>('comments')

  const linkOf = ({ id, post }: StoredComment) => `${posts.urlOf(String(post))}#comment-${id}`
  function show(comment: StoredComment): Record<string, unknown> {
    const { id, post, author, content, commentedAtMs } = comment
    const date_gmt = new Date(commentedAtMs).toISOString().slice(0, 19)
    return { id, post, author, date_gmt, link: linkOf(comment), status: 'approved', content: { raw: content } }
  }
  function make(call: Call): Answer {
    const { id: author } = userOf(call)
    const sent = Sent.safeParse(parseJson(call.body, () => refuse(400, 'rest_invalid_json', 'Invalid JSON body.')))
    if (!sent.success) return refuse(400, 'rest_invalid_param', 'Invalid parameter(s).')
    const { post, content } = sent.data
    if (posts.urlOf(String(post)) === undefined) {
      refuse(403, 'rest_comment_invalid_post_id', 'Sorry, you are not allowed to create this comment without a post.')
    }
    const isSame = (other: StoredComment) => other.post === post && other.author === author && other.content === content
    if (comments.values().some(isSame)) {
      refuse(409, 'comment_duplicate', 'Duplicate comment detected; it looks as though you’ve already said that!')
    }
    const comment = { id: comments.size + 1, post, author, content, commentedAtMs: clock.now() }
    comments.set(String(comment.id), comment)
    return { status: 201, body: show(comment) }
  }
  function list(call: Call): Answer {
    if (call.query.has('author') && find(call)?.capabilities['edit_posts'] !== true) {
      refuse(401, 'rest_forbidden_param', 'Query parameter not permitted: author')
    }
    const [post, author] = ['post', 'author'].map((name) => call.query.get(name))
    const all = comments
      .values()
      .filter((comment) => post === null || comment.post === Number(post))
      .filter((comment) => author === null || comment.author === Number(author))
    return listPage(listing, call, all.reverse(), show)
  }
  function read(call: Call): Answer {
    const { id: user, capabilities } = userOf(call)
    const comment = comments.get(call.params['id'] ?? '')
    if (comment === undefined) return refuse(404, 'rest_comment_invalid_id', 'Invalid comment ID.')
    if (comment.author !== user && capabilities['edit_others_posts'] !== true) {
      refuse(403, 'rest_forbidden_context', 'Sorry, you are not allowed to edit comments.')
    }
    return { status: 200, body: show(comment) }
  }
  function toPublicPost(comment: StoredComment): PublicPost {
    const user = wordpressSeed.users.find(({ id }) => id === comment.author)
    return {
      account: `${user?.username}@${wordpressSeed.site}`,
      text: plain(comment.content),
      media: [],
      extras: [],
      url: linkOf(comment),
      replyTo: posts.urlOf(String(comment.post)) ?? null,
      publishedAt: comment.commentedAtMs,
    }
  }
  const at = '/wp/v2/comments'
  const routes: Route[] = [
    { method: 'POST', path: at, operation: 'comment', answer: make },
    { method: 'GET', path: at, operation: 'comments', answer: list },
    { method: 'GET', path: `${at}/:id`, operation: 'readComment', answer: read },
  ]
  return { routes, posts: () => comments.values().map(toPublicPost) }
}

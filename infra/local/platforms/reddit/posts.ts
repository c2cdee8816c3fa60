import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, PublicMedia, Route, SimulatorContext } from '../standin.ts'
import { type PollJson, readGallery, readPoll, readSubmission } from './check-post.ts'
import type { Door } from './login.ts'
import { refuse, refusePost } from './refuse.ts'
import { findSubreddit } from './subreddits.ts'
import type { Uploads } from './uploads.ts'

export interface StoredPost {
  id: string
  author: string
  subreddit: string
  kind: string
  title: string
  text: string
  url: string | null
  media: PublicMedia[]
  submittedAt: number
  /** The post that a crosspost shows. */
  original?: string | undefined
  poll?: Pick<PollJson, 'options' | 'duration'>
  /** Queries of the listing that do not show it yet. */
  hiddenLooks: number
}

export interface StoredComment {
  id: string
  author: string
  post: string
  text: string
  commentedAt: number
}

const CommentForm = z.strictObject({
  api_type: z.literal('json'),
  thing_id: z.string(),
  text: z.string().check(z.minLength(1), z.maxLength(10_000)),
})

const EditForm = z.strictObject({
  api_type: z.literal('json'),
  thing_id: z.string(),
  text: z.string().check(z.maxLength(40_000)),
})

/** No Reddit listing goes back further. */
const maxListed = 1000

/** Posts: submitted, listed by their author (newest first, with a small lag), deleted. */
export function openPosts({ clock, keep, listing }: SimulatorContext, { personOf, editorOf }: Door, uploads: Uploads) {
  const posts = keep<StoredPost>('posts')
  const comments = keep<StoredComment>('comments')
  const own = (name: string) => posts.values().filter(({ author }) => author === name)

  function assertNew(author: string, subreddit: string, url: string | undefined): void {
    const known = own(author).some((post) => post.kind === 'link' && post.subreddit === subreddit && post.url === url)
    if (known) refusePost('ALREADY_SUB', 'that link has already been submitted', 'url')
  }

  function mediaOf(address: string | undefined, title: string): PublicMedia {
    const upload = uploads.find(address)
    if (upload === undefined) return refusePost('BAD_IMAGE', 'that media is not there', 'url')
    return { key: upload.blob, type: upload.type, alt: title }
  }

  function originalOf(fullname = ''): string {
    const id = fullname.replace(/^t3_/, '')
    return posts.get(id) === undefined
      ? refusePost('INVALID_CROSSPOST_THING', 'that post cannot be crossposted', 'crosspost_fullname')
      : id
  }

  function submit(call: Call): Answer {
    const { name: author } = personOf(call)
    const { kind, sr, title, text = '', url, video_poster_url, crosspost_fullname, resubmit } = readSubmission(call)
    const subreddit = findSubreddit(sr)?.name ?? sr
    if (kind === 'link' && resubmit !== true) assertNew(author, subreddit, url)
    const original = kind === 'crosspost' ? originalOf(crosspost_fullname) : undefined
    const isMedia = kind === 'image' || kind === 'video'
    const media = isMedia ? [mediaOf(url, title)] : []
    if (kind === 'video') mediaOf(video_poster_url, title)
    if (media.some(({ type }) => !type.startsWith(`${kind}/`))) refusePost('BAD_IMAGE', 'that is another kind', 'url')
    const id = nextId()
    const submittedAt = clock.now()
    const stored = { id, author, subreddit, kind, title, text, media, submittedAt, original, url: url ?? null }
    posts.set(id, { ...stored, hiddenLooks: isMedia ? 1 : 0 })
    if (isMedia) {
      const page = `https://www.reddit.com/user/${author}/submitted/`
      return {
        status: 200,
        body: { json: { errors: [], data: { user_submitted_page: page, websocket_url: 'wss://unused' } } },
      }
    }
    const data = { url: `https://www.reddit.com${pathOf(stored)}`, drafts_count: 0, id, name: `t3_${id}` }
    return { status: 200, body: { json: { errors: [], data } } }
  }

  function submitPoll(call: Call): Answer {
    const { name: author } = personOf(call)
    const { sr, title, text, options, duration } = readPoll(call)
    const subreddit = findSubreddit(sr)?.name ?? sr
    const id = nextId()
    const made = { id, author, subreddit, kind: 'self', title, text, url: null, media: [], hiddenLooks: 0 }
    const stored = { ...made, submittedAt: clock.now(), poll: { options, duration } }
    posts.set(id, stored)
    const data = { url: `https://www.reddit.com${pathOf(stored)}`, id: `t3_${id}` }
    return { status: 200, body: { json: { errors: [], data } } }
  }

  function submitGallery(call: Call): Answer {
    const { name: author } = personOf(call)
    const { sr, title, text = '', items } = readGallery(call)
    const media = items.map(({ media_id, caption }): PublicMedia => {
      const upload = uploads.findAsset(media_id)
      if (!upload?.type.startsWith('image/')) return refusePost('BAD_IMAGE', 'that image is not there', 'items')
      return { key: upload.blob, type: upload.type, alt: caption || title }
    })
    const subreddit = findSubreddit(sr)?.name ?? sr
    const id = nextId()
    const made = { id, author, subreddit, kind: 'image', title, text, url: null, media, hiddenLooks: 0 }
    const stored = { ...made, submittedAt: clock.now() }
    posts.set(id, stored)
    const data = { url: `https://www.reddit.com${pathOf(stored)}`, id: `t3_${id}` }
    return { status: 200, body: { json: { errors: [], data } } }
  }

  function nextId(): string {
    return (Date.UTC(2026, 0) / 1000 + posts.values().length).toString(36)
  }

  function other(author: string, title: string): void {
    const made = { author, title, subreddit: 'test', kind: 'self', text: '', url: null, media: [], hiddenLooks: 0 }
    const id = nextId()
    posts.set(id, { id, ...made, submittedAt: clock.now() })
  }

  function list(call: Call): Answer {
    const { name } = personOf(call)
    if (call.params['name'] !== name) refuse(403, 'Forbidden')
    const limit = Number(call.query.get('limit') ?? 25)
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) refuse(400, 'Bad Request')
    const all = own(name)
    const shown = all.filter(({ hiddenLooks }) => hiddenLooks === 0).reverse()
    for (const post of all) posts.set(post.id, { ...post, hiddenLooks: Math.max(0, post.hiddenLooks - 1) })
    const after = call.query.get('after')
    const from = after === null ? 0 : shown.findIndex(({ id }) => `t3_${id}` === after) + 1
    const { items, next } = pageOf(listing, shown.slice(0, maxListed), from, limit)
    const children = items.map((post) => ({ kind: 't3', data: show(post) }))
    const last = next === undefined ? null : (children.at(-1)?.data.name ?? null)
    return { status: 200, body: { kind: 'Listing', data: { after: last, dist: children.length, children } } }
  }

  function remove(call: Call): Answer {
    const { name } = editorOf(call)
    const id = (new URLSearchParams(call.body.toString()).get('id') ?? '').replace('t3_', '')
    if (posts.get(id)?.author === name) posts.delete(id)
    return { status: 200, body: {} }
  }

  function edit(call: Call): Answer {
    const { name } = editorOf(call)
    const form = EditForm.safeParse(Object.fromEntries(new URLSearchParams(call.body.toString())))
    if (!form.success) return refusePost('BAD_COMMENT', 'that text is not valid', 'text')
    const { thing_id: thing, text } = form.data
    const post = posts.get(thing.replace('t3_', ''))
    if (post?.author !== name) return refusePost('NOT_AUTHOR', "you can't do that", 'thing_id')
    if (post.kind !== 'self') return refuse(403, 'Forbidden')
    posts.set(post.id, { ...post, text })
    return {
      status: 200,
      body: { json: { errors: [], data: { things: [{ kind: 't3', data: show({ ...post, text }) }] } } },
    }
  }

  function comment(call: Call): Answer {
    const { name: author } = personOf(call)
    const form = CommentForm.safeParse(Object.fromEntries(new URLSearchParams(call.body.toString())))
    if (!form.success) return refusePost('BAD_COMMENT', 'that comment is not valid', 'text')
    const { thing_id: thing, text } = form.data
    const post = posts.get(thing.replace('t3_', ''))
    if (!thing.startsWith('t3_') || post === undefined) return refusePost('DELETED_LINK', 'that is not there', 'parent')
    const id = `c${nextId()}${comments.values().length}`
    const stored = { id, author, post: post.id, text, commentedAt: clock.now() }
    comments.set(id, stored)
    return {
      status: 200,
      body: { json: { errors: [], data: { things: [{ kind: 't1', data: showComment(stored, post) }] } } },
    }
  }

  function listComments(call: Call): Answer {
    const { name } = personOf(call)
    if (call.params['name'] !== name) refuse(403, 'Forbidden')
    const own = comments
      .values()
      .filter(({ author }) => author === name)
      .reverse()
    const after = call.query.get('after')
    const from = after === null ? 0 : own.findIndex(({ id }) => `t1_${id}` === after) + 1
    const { items, next } = pageOf(listing, own, from, Number(call.query.get('limit') ?? 25))
    const children = items.map((said) => ({ kind: 't1', data: showComment(said, posts.get(said.post)) }))
    const last = next === undefined ? null : (children.at(-1)?.data.name ?? null)
    return { status: 200, body: { kind: 'Listing', data: { after: last, dist: children.length, children } } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/comment', operation: 'comment', answer: comment },
    { method: 'GET', path: '/user/:name/comments', operation: 'comments', answer: listComments },
    { method: 'POST', path: '/api/submit', operation: 'create', answer: submit },
    { method: 'POST', path: '/api/submit_poll_post', operation: 'create', answer: submitPoll },
    { method: 'POST', path: '/api/submit_gallery_post.json', operation: 'create', answer: submitGallery },
    { method: 'GET', path: '/user/:name/submitted', operation: 'read', answer: list },
    { method: 'POST', path: '/api/editusertext', operation: 'edit', answer: edit },
    { method: 'POST', path: '/api/del', operation: 'delete', answer: remove },
  ]
  return { routes, posts, comments, other }
}

export function pathOf({ subreddit, id, title }: Pick<StoredPost, 'subreddit' | 'id' | 'title'>): string {
  const slug =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 50) || '_'
  return `/r/${subreddit}/comments/${id}/${slug}/`
}

/** A comment. For one without replies, `replies` is not a list. */
export function showComment({ id, author, post, text, commentedAt }: StoredComment, under: StoredPost | undefined) {
  const permalink = under === undefined ? '/' : `${pathOf(under)}${id}/`
  const about = { id, name: `t1_${id}`, author, link_id: `t3_${post}`, parent_id: `t3_${post}`, body: text }
  return { ...about, replies: '', permalink, created_utc: Math.floor(commentedAt / 1000) }
}

export function show(post: StoredPost) {
  const { id, author, subreddit, title, text, url, submittedAt } = post
  return {
    id,
    name: `t3_${id}`,
    author,
    subreddit,
    title,
    selftext: text,
    url: url ?? `https://www.reddit.com${pathOf(post)}`,
    permalink: pathOf(post),
    created_utc: Math.floor(submittedAt / 1000),
  }
}

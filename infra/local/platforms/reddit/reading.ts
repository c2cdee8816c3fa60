import type { Answer } from '../../pages/server.ts'
import type { Call, Route } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import type { Door } from './login.ts'
import { type StoredComment, type StoredPost, show, showComment } from './posts.ts'
import { refuse } from './refuse.ts'
import { findSubreddit } from './subreddits.ts'

interface Thing {
  kind: string
  data: unknown
}

const listingOf = (children: readonly Thing[]) => ({
  kind: 'Listing',
  data: { after: null, before: null, dist: children.length, modhash: null, children },
})

/** What apps read one by one: a post with its comments, things by their full names, and a subreddit. */
export function openReading(
  { personOf }: Door,
  posts: StoredMap<StoredPost>,
  comments: StoredMap<StoredComment>,
): Route[] {
  const postThing = (post: StoredPost): Thing => ({ kind: 't3', data: show(post) })
  const commentThing = (comment: StoredComment): Thing => ({
    kind: 't1',
    data: showComment(comment, posts.get(comment.post)),
  })

  function thread(call: Call): Answer {
    personOf(call)
    const post = posts.get(call.params['id'] ?? '') ?? refuse(404, 'Not Found')
    const under = comments.values().filter((comment) => comment.post === post.id)
    return { status: 200, body: [listingOf([postThing(post)]), listingOf(under.map(commentThing))] }
  }

  function info(call: Call): Answer {
    personOf(call)
    const names = (call.query.get('id') ?? '').split(',')
    const things = names.flatMap((name): Thing[] => {
      const [kind, id = ''] = name.split('_')
      const [post, comment] = [posts.get(id), comments.get(id)]
      if (kind === 't3') return post === undefined ? [] : [postThing(post)]
      return kind === 't1' && comment !== undefined ? [commentThing(comment)] : []
    })
    return { status: 200, body: listingOf(things) }
  }

  function about(call: Call): Answer {
    personOf(call)
    const { name, open } = findSubreddit(call.params['subreddit']) ?? refuse(404, 'Not Found')
    if (!open) refuse(403, 'Forbidden', 'private')
    const data = { id: name, name: `t5_${name}`, display_name: name, display_name_prefixed: `r/${name}`, title: name }
    const more = { url: `/r/${name}/`, subreddit_type: 'public', over18: false, subscribers: 1 }
    return { status: 200, body: { kind: 't5', data: { ...data, ...more } } }
  }

  return [
    { method: 'GET', path: '/comments/:id', operation: 'thread', answer: thread },
    { method: 'GET', path: '/api/info', operation: 'info', answer: info },
    { method: 'GET', path: '/r/:subreddit/about', operation: 'about', answer: about },
  ]
}

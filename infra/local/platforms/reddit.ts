import { countWindow } from './count-window.ts'
import { faceUrl } from './face.ts'
import { openLogin } from './reddit/login.ts'
import { openPosts, pathOf, type StoredComment, type StoredPost } from './reddit/posts.ts'
import { openReading } from './reddit/reading.ts'
import { redditRefusals } from './reddit/refuse.ts'
import { redditSeed } from './reddit/seed.ts'
import { openSubreddits } from './reddit/subreddits.ts'
import { openUploads } from './reddit/uploads.ts'
import { withoutTrailingSlash } from './router.ts'
import type { Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { redditSeed } from './reddit/seed.ts'

/** Reddit's API for apps, its token endpoint and the bucket behind its uploads. */
export const reddit: Platform = {
  id: 'reddit',
  name: 'Reddit',
  tint: '#ff4500',
  maxBodyBytes: 64 * 1024 * 1024,
  app: redditSeed.app,
  metadata: () => ({ subreddit: 'test', title: 'Good evening', kind: 'image' }),
  build,
}

function build(context: SimulatorContext): StandIn {
  const door = openLogin(context)
  const uploads = openUploads(context, door)
  const { routes: postRoutes, posts, comments, other } = openPosts(context, door, uploads)
  const reading = openReading(door, posts, comments)
  const me: Route = {
    method: 'GET',
    path: '/api/v1/me',
    operation: 'profile',
    answer(call) {
      const { id, name } = door.personOf(call)
      const icon_img = `${faceUrl(context, id)}?width=256&s=signed`
      return { status: 200, body: { id, name, icon_img, is_suspended: false, has_verified_email: true } }
    },
  }
  /** A comment under an existing post. */
  function toPublicComment({ id, author, post, text, commentedAt }: StoredComment): PublicPost[] {
    const under = posts.get(post)
    if (under === undefined) return []
    const replyTo = `https://www.reddit.com${pathOf(under)}`
    return [{ account: `u/${author}`, text, media: [], replyTo, url: `${replyTo}${id}/`, publishedAt: commentedAt }]
  }
  const window = countWindow({ max: 1000, perMs: 600_000 }, context)
  return {
    routes: [
      ...door.routes,
      ...door.demand([me, ...openSubreddits(door), ...uploads.routes, ...postRoutes, ...reading]),
    ],
    refusals: redditRefusals,
    routedPath: withoutTrailingSlash,
    secondsToWait: () => window.take('all'),
    headers() {
      const { left, endsAt } = window.shown('all')
      return {
        'x-ratelimit-used': String(1000 - left),
        'x-ratelimit-remaining': left.toFixed(1),
        'x-ratelimit-reset': String(Math.ceil((endsAt - context.clock.now()) / 1000)),
      }
    },
    posts: () => [
      ...posts.values().map((post) => toPublicPost(post, posts.get(post.original ?? ''))),
      ...comments.values().flatMap(toPublicComment),
    ],
    other,
  }
}

function toPublicPost(post: StoredPost, original: StoredPost | undefined): PublicPost {
  const { author, subreddit, title, text, kind, url, media, submittedAt, poll } = post
  return {
    account: `u/${author} in r/${subreddit}`,
    text: [title, kind === 'link' ? url : undefined, text].filter(Boolean).join('\n\n'),
    media,
    replyTo: null,
    url: `https://www.reddit.com${pathOf(post)}`,
    publishedAt: submittedAt,
    extras: [
      ...(original === undefined ? [] : [`crosspost of https://www.reddit.com${pathOf(original)}`]),
      ...(poll === undefined ? [] : [`poll: ${poll.options.join(' | ')} (${poll.duration} days)`]),
    ],
  }
}

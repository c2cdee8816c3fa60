import { type Client, NotPublishedError, type Post } from '../../javascript/src/index.ts'
import { type Account, shownName } from './accounts.ts'
import type { Cli } from './cli.ts'
import { PartlyFailed } from './errors.ts'
import { cut } from './table.ts'
import { clockTime, sayTime } from './time.ts'

const colors = { published: 'green', failed: 'red', cancelled: 'dim', scheduled: 'yellow', draft: 'dim' } as const

export const showPosts = (
  { out }: Cli,
  posts: readonly Post[],
  zone: string,
  accounts: readonly Account[] = [],
): void => {
  const names = new Map(accounts.map((account) => [account.id, shownName(account, accounts)]))
  out.table<Post>(
    {
      ID: ({ id }) => id,
      STATUS: ({ status }) => status,
      TIME: ({ plannedAt }) => clockTime(plannedAt, zone).slice(0, 16),
      ACCOUNT: ({ socialAccountId, platform }) => names.get(socialAccountId) ?? platform,
      TEXT: ({ content }) => cut(content, 60),
    },
    posts,
  )
}

/** One post with everything that people ask about it. */
export const showPost = ({ out }: Cli, post: Post, zone: string): void => {
  const { id, status, platform, plannedAt, publishedPostUrl, failure, thread, externalId, mediaUrls, content } = post
  const lines: [string, string | null][] = [
    ['id', id],
    ['status', out.paint(colors[status], status)],
    ['platform', platform],
    ['account', post.socialAccountId],
    ['time', sayTime(Date.parse(plannedAt), zone)],
    ['address', publishedPostUrl],
    ['thread', thread && `${thread.position} of ${thread.totalTweets}, first ${thread.headPostId}`],
    ['files', mediaUrls.join(' ') || null],
    ['external id', externalId],
    ['error', failure?.message ?? null],
    ['platform says', failure && (failure.platformMessage ?? failure.platformCode)],
    ['repeat', failure && failure.retrySafe === false ? 'it may be live: look at the platform first' : null],
  ]
  for (const [name, value] of lines) if (value !== null) out.line(`${`${name}:`.padEnd(15)}${value}`)
  out.line()
  out.line(printable(content))
}

/** A text with its lines, but without control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const printable = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

/** Reads a post until its outcome, also if that is a failure. */
export const outcomeOf = async (
  client: Client,
  id: string,
  { stopped, timeoutMs, onPost }: { stopped: AbortSignal; timeoutMs: number; onPost?: (post: Post) => void },
): Promise<Post> => {
  try {
    return await client.posts.waitUntilPublished(id, { signal: stopped, timeoutMs, onPost })
  } catch (error) {
    if (error instanceof NotPublishedError && error.code === 'post_not_published') return error.post
    throw error
  }
}

/** Ends with exit code 4 if a post is not live. */
export const assertPublished = (posts: readonly Post[]): void => {
  const failed = posts.filter(({ status }) => status !== 'published')
  if (failed.length > 0) throw new PartlyFailed(`${failed.length} of ${posts.length} posts are not published.`)
}

/** How long people wait for an outcome unless they say otherwise, in seconds. */
export const usualWaitSeconds = 600

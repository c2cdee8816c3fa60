import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, isCode, type Post, SocialError } from '../../javascript/src/index.ts'
import type { Account } from './accounts.ts'

/** The outcome of one account's post. */
export interface Outcome {
  account: Account
  post?: Post | undefined
  /** Why there is no post. */
  error?: string
}

/** A failure in one line, with what support needs. */
export const sayError = (error: unknown): string => {
  if (!(error instanceof SocialError)) return error instanceof Error ? error.message : String(error)
  const { code, field, requestId, issues } = error
  const more = issues
    .flatMap(({ message, next }) => [message, next])
    .filter((each) => each && !error.message.includes(each))
  const details = [`code ${code}`, field && `field ${field}`, requestId && `request ${requestId}`].filter(Boolean)
  return [error.message, ...more, `(${details.join(', ')})`].join(' ')
}

/** All posts about the release, the newest first. */
export const listPosts = async (client: Client, externalId: string): Promise<Post[]> => {
  const posts: Post[] = []
  for await (const post of client.posts.list.all({ externalId, limit: 100 })) posts.push(post)
  return posts
}

/** Whether an earlier post leaves nothing to do. A failed post that is certainly not live is retried. */
export const isDone = (post: Post): boolean => !(post.status === 'failed' && post.retrySafe === true)

export interface Order {
  account: Account
  content: string
  externalId: string
  metadata: Readonly<Record<string, unknown>> | undefined
  scheduledAt: string | undefined
  /** The post that failed before. */
  failed: Post | undefined
}

/**
 * Publishes or schedules one post. The key is the same in every run until a post has failed: the service stores keys for a
 * day, and `externalId` finds the post after that.
 */
export const send = async (client: Client, order: Order): Promise<Outcome> => {
  const { account, content, externalId, metadata, scheduledAt, failed } = order
  const idempotencyKey = [externalId, account.id, ...(failed === undefined ? [] : [failed.id])].join('/')
  const body = { socialAccountIds: [account.id], content, externalId, ...(metadata === undefined ? {} : { metadata }) }
  try {
    const [post] = await (scheduledAt === undefined
      ? client.posts.publishNow(body, { idempotencyKey })
      : client.posts.schedule({ ...body, scheduledAt }, { idempotencyKey }))
    return { account, post }
  } catch (error) {
    // A concurrent run, of a release whose text was edited in between.
    const posts = isCode(error, 'idempotency_key_reused') ? await listPosts(client, externalId) : []
    const post = posts.find(({ socialAccountId }) => socialAccountId === account.id)
    return post === undefined ? { account, error: sayError(error) } : { account, post }
  }
}

const betweenLooksMs = 2_000

/** Reads the posts until each has its outcome or the time is over; all in one request, whatever their number. */
export const awaitOutcomes = async (
  client: Client,
  { externalId, outcomes, seconds }: { externalId: string; outcomes: readonly Outcome[]; seconds: number },
): Promise<Outcome[]> => {
  const endsAt = Date.now() + seconds * 1000
  for (let latest = [...outcomes]; ; await sleep(betweenLooksMs)) {
    if (latest.every(({ post }) => post?.status !== 'scheduled') || Date.now() >= endsAt) return latest
    const posts = await listPosts(client, externalId)
    latest = latest.map((each) => ({ ...each, post: posts.find(({ id }) => id === each.post?.id) ?? each.post }))
  }
}

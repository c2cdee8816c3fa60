import type { Post } from './api.ts'
import { SocialError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { sleep } from './retry.ts'

export interface WaitOptions {
  /** How long to wait in all: ten minutes by default. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /** Called with the post each time it was read. */
  onPost?: ((post: Post) => void) | undefined
}

/** Thrown when the post can no longer be published, or is not published in time: `post` is what was read last. */
export class NotPublishedError extends SocialError {
  override readonly name = 'NotPublishedError'
  readonly post: Post
  constructor(code: 'post_not_published' | 'wait_timeout', message: string, post: Post) {
    super(code, message)
    this.post = post
  }
}

/** The longest wait between two reads: the time of a post may change in the meantime. */
const longestMs = 60_000
const slowestMs = 10_000

/**
 * Reads a post until it is published, and returns it. Before its time the reads are rare, then they start at every second
 * and become slower.
 */
export const waitUntilPublished = async (
  get: (id: string, options: CallOptions) => Promise<Post>,
  id: string,
  { timeoutMs = 600_000, signal, onPost }: WaitOptions = {},
): Promise<Post> => {
  const endsAt = Date.now() + timeoutMs
  for (let intervalMs = 1_000; ; ) {
    const post = await get(id, { signal })
    onPost?.(post)
    if (post.status === 'published') return post
    if (post.status !== 'scheduled') {
      const why = post.error ?? `The post is ${post.status}.`
      throw new NotPublishedError('post_not_published', why, post)
    }
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) {
      throw new NotPublishedError('wait_timeout', `The post is not published after ${timeoutMs} ms.`, post)
    }
    const dueInMs = Date.parse(post.plannedAt ?? post.scheduledAt ?? '') - Date.now()
    const pauseMs = dueInMs > intervalMs ? Math.min(dueInMs, longestMs) : intervalMs
    if (!(dueInMs > intervalMs)) intervalMs = Math.min(intervalMs * 1.5, slowestMs)
    await sleep(Math.min(pauseMs, leftMs), signal)
  }
}

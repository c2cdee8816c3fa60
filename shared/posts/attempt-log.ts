import type { Write } from '../db/table.ts'
import type { ErrorClass, ErrorFacts } from '../platforms/platform-error.ts'
import type { Post } from './lifecycle/row.ts'

/** How an attempt ended, for the log of attempts. */
export interface AttemptEnd {
  state: 'confirmed' | 'rejected' | 'retried' | 'unknown'
  errorClass?: ErrorClass
  facts?: ErrorFacts
  platformId?: string | null
}

const keptDays = 90

/** The partition of the attempts of all posts of a workspace. */
export const attemptsOf = (workspaceId: string): string => `WS#${workspaceId}#ATTEMPT`

/** The log row of an attempt: what it did and how it ended. Written in the transaction that ends the attempt. */
export const recordAttempt = (post: Post, end: AttemptEnd, now: number): Write => ({
  put: {
    PK: attemptsOf(post.workspaceId),
    SK: `${post.id}#${post.version}#${String(post.leaseToken).padStart(6, '0')}`,
    type: 'Attempt',
    postId: post.id,
    version: post.version,
    clientKey: post.attempt?.clientKey,
    startedAtMs: post.attempt?.startedAtMs,
    endedAtMs: now,
    ...end,
    ttl: Math.ceil(now / 1000) + keptDays * 86_400,
  },
})

import type { Attempt, Post } from './row.ts'

/** The state of a post, derived from its row and the time. */
export type PostState =
  /** A tweet whose predecessor is not live yet. */
  | { kind: 'awaiting-turn' }
  /** Waits for its time, its media, or its next attempt. Nothing of it is live. */
  | { kind: 'scheduled' }
  /** Claimed by a publisher; with an attempt, it can become live at any moment. */
  | { kind: 'publishing'; attempt: Attempt | undefined }
  /** The outcome of this version's attempt is unknown. Callers get 409 until it is reconciled. */
  | { kind: 'unconfirmed'; attempt: Attempt }
  /**
   * Rescheduled although the outcome of an earlier version's attempt is unknown (pipeline rule 3, shared/README.md).
   */
  | { kind: 'earlier-unconfirmed'; attempt: Attempt }
  /** Claimed by a publisher that looks up the outcome of the attempt. */
  | { kind: 'reconciling'; attempt: ReconcilingAttempt }
  | { kind: 'published' }
  /** Nothing of it is live, unless the author sent it again after an unknown outcome. */
  | { kind: 'failed' }
  /** It could not be determined whether the attempt is live. */
  | { kind: 'outcome-unknown'; attempt: Attempt }
  /** With an attempt, it may still be live. */
  | { kind: 'cancelled'; attempt: Attempt | undefined }

export type PostStateKind = PostState['kind']

/** An attempt whose outcome is looked up. */
export type ReconcilingAttempt = Attempt & { reconciliation: NonNullable<Attempt['reconciliation']> }

/** Whether the post is a tweet whose predecessor is not live yet. The sweeper skips it, and nothing sends it. */
export const awaitsTurn = ({ thread, replyTo }: Pick<Post, 'thread' | 'replyTo'>): boolean =>
  thread !== undefined && thread.index > 0 && replyTo === undefined

const isReconciling = (attempt: Attempt): attempt is ReconcilingAttempt => attempt.reconciliation !== undefined

const stateOfLeased = ({ attempt }: Post): PostState =>
  attempt !== undefined && isReconciling(attempt) ? { kind: 'reconciling', attempt } : { kind: 'publishing', attempt }

const stateOfScheduled = (post: Post, nowMs: number): PostState => {
  const { attempt, leaseUntilMs = 0, version } = post
  if (leaseUntilMs > nowMs) return stateOfLeased(post)
  if (attempt === undefined) return { kind: awaitsTurn(post) ? 'awaiting-turn' : 'scheduled' }
  return { kind: attempt.version === version ? 'unconfirmed' : 'earlier-unconfirmed', attempt }
}

/** Whether an attempt of the post may be live although the post is not published. */
export const mayBeLive = ({ attempt, earlierMayBeLive }: Post): boolean =>
  attempt !== undefined || earlierMayBeLive === true

/** The state of a post at a given time. */
export const stateOf = (post: Post, nowMs: number): PostState => {
  const { status, attempt } = post
  switch (status) {
    case 'scheduled':
      return stateOfScheduled(post, nowMs)
    case 'failed':
      return attempt === undefined ? { kind: 'failed' } : { kind: 'outcome-unknown', attempt }
    case 'cancelled':
      return { kind: 'cancelled', attempt }
    case 'published':
      return { kind: 'published' }
    case 'draft':
      throw new Error(`post ${post.id} is a draft, which this service never stores`)
  }
}

/** The attempt that a publisher has claimed to reconcile. */
export const reconciledAttempt = ({ id, attempt }: Post): ReconcilingAttempt => {
  if (attempt === undefined || !isReconciling(attempt)) throw new Error(`post ${id} has no attempt to reconcile`)
  return attempt
}

/** The attempt that a publisher has claimed and journaled. */
export const journaledAttempt = ({ id, attempt }: Post): Attempt => {
  if (attempt === undefined) throw new Error(`post ${id} has no attempt`)
  return attempt
}

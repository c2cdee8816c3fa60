import { absent, allOf, asStored, type Condition, equal, present } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import type { Attempt, Post } from './row.ts'

/** The state of a post, derived from its row and the time. */
export type PostState =
  /** A tweet whose predecessor is not live yet. */
  | { kind: 'awaiting-turn' }
  /** Waits for its time, its media, or its next attempt. No part of it is live. */
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
  /** No part of it is live, unless the author sent it again after an unknown outcome. */
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
export const reconciledAttempt = ({ id, attempt }: Pick<Post, 'id' | 'attempt'>): ReconcilingAttempt => {
  if (attempt === undefined || !isReconciling(attempt)) throw new Error(`post ${id} has no attempt to reconcile`)
  return attempt
}

/** The attempt that a publisher has claimed and journaled. */
export const journaledAttempt = ({ id, attempt }: Pick<Post, 'id' | 'attempt'>): Attempt => {
  if (attempt === undefined) throw new Error(`post ${id} has no attempt`)
  return attempt
}

/**
 * The version of a post as callers see it. It increases with every event, that is, with every change that the API shows;
 * `version` of the row only with those that make a message stale.
 */
export const versionOf = ({ sequence }: Pick<Post, 'sequence'>): number => sequence + 1

// The same states as conditions of DynamoDB: test/posts/lifecycle/condition.law.ts compares both.

/** Status and version are as they were read. */
export const unchanged = ({ status, version }: Post): Condition =>
  allOf(equal('status', status), equal('version', version))

/** This version was not attempted with another key since the post was read. */
const keyAsRead = ({ clientKey }: Post): Condition => asStored('clientKey', clientKey)

const attemptAsRead = ({ attempt }: Post): Condition =>
  attempt === undefined ? absent('attempt') : equal('attempt.version', attempt.version)

/**
 * No worker publishes the post, and no part of it may be live, so that it can be prepared: while an attempt is unconfirmed,
 * its preparation stays (pipeline rule 7, shared/README.md).
 */
export const preparable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), absent('attempt'))

/** The post may be attempted with the key that was read. */
export const claimable = (post: Post, nowMs: number): Condition => allOf(preparable(post, nowMs), keyAsRead(post))

/** No worker publishes the post, and the outcome of an attempt is unknown. */
export const reconcilable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), present('attempt'))

/** The author may change the post: it has not changed since it was read, and no attempt is in flight. */
export const changeable = (post: Post, nowMs: number): Condition =>
  post.status === 'scheduled'
    ? allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), attemptAsRead(post))
    : unchanged(post)

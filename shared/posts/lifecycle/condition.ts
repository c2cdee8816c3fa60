import { absent, allOf, type Condition, equal, present } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import type { Post } from './row.ts'

// The states of `state.ts` as conditions of DynamoDB: test/posts/lifecycle/condition.test.ts compares both.

/** Status and version are as they were read. */
export const unchanged = ({ status, version }: Post): Condition =>
  allOf(equal('status', status), equal('version', version))

/** This version was not attempted with another key since the post was read. */
const keyAsRead = ({ clientKey }: Post): Condition =>
  clientKey === undefined ? absent('clientKey') : equal('clientKey', clientKey)

const attemptAsRead = ({ attempt }: Post): Condition =>
  attempt === undefined ? absent('attempt') : equal('attempt.version', attempt.version)

/**
 * No worker publishes the post, and nothing of it may be live, so that it can be prepared: while an attempt is
 * unconfirmed, its preparation stays (pipeline rule 7, shared/README.md).
 */
export const preparable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), absent('attempt'))

/** The same, and no other worker prepares the post. */
export const preparableAlone = (post: Post, nowMs: number): Condition =>
  allOf(preparable(post, nowMs), leaseFree('preparingUntilMs', nowMs))

/** The post may be attempted with the key that was read. */
export const claimable = (post: Post, nowMs: number): Condition => allOf(preparable(post, nowMs), keyAsRead(post))

/** No worker publishes the post, and the outcome of an attempt is unknown. */
export const reconcilable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), present('attempt'))

/** The claim is still valid: no other worker has claimed the post since, and its author has not changed it. */
export const ownsLease = (claimed: Post): Condition =>
  allOf(unchanged(claimed), equal('leaseToken', claimed.leaseToken))

/** The author may change the post: it is as it was read, and no attempt is in flight. */
export const changeable = (post: Post, nowMs: number): Condition =>
  post.status === 'scheduled'
    ? allOf(unchanged(post), leaseFree('leaseUntilMs', nowMs), attemptAsRead(post))
    : unchanged(post)

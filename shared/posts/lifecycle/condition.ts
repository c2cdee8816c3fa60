import { absent, allOf, anyOf, atMost, type Condition, equal, present } from '../../db/expression.ts'
import type { Post } from './row.ts'

// The states of `state.ts` as conditions of DynamoDB: test/posts/lifecycle/condition.test.ts compares both.

const leaseFree = (nowMs: number): Condition => anyOf(absent('lease'), atMost('lease.untilMs', nowMs))

/** Nobody has moved the post on since it was read. */
export const unchanged = ({ status, version }: Post): Condition =>
  allOf(equal('status', status), equal('version', version))

/** Nobody has attempted this version under another key since the post was read. */
const keyAsRead = ({ clientKey }: Post): Condition =>
  clientKey === undefined ? absent('clientKey') : equal('clientKey', clientKey)

const attemptAsRead = ({ attempt }: Post): Condition =>
  attempt === undefined ? absent('attempt') : equal('attempt.version', attempt.version)

/**
 * Nobody publishes the post, and nothing of it may be live. So what is prepared is still wanted: while an attempt is
 * unconfirmed, what it was made of stays (pipeline rule 7).
 */
export const preparable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree(nowMs), absent('attempt'))

/** The same, and no other worker prepares the post. */
export const preparableAlone = (post: Post, nowMs: number): Condition =>
  allOf(preparable(post, nowMs), anyOf(absent('preparingUntilMs'), atMost('preparingUntilMs', nowMs)))

/** The post may be attempted under the key that was read. */
export const claimable = (post: Post, nowMs: number): Condition => allOf(preparable(post, nowMs), keyAsRead(post))

/** Nobody publishes the post, and the outcome of an attempt is unknown. */
export const reconcilable = (post: Post, nowMs: number): Condition =>
  allOf(unchanged(post), leaseFree(nowMs), present('attempt'))

/** The claim is still ours: nobody has claimed the post since, and its author has not moved it on. */
export const ownsLease = (claimed: Post): Condition =>
  allOf(unchanged(claimed), equal('leaseToken', claimed.leaseToken))

/** The author may change the post: it is as it was read, and nothing of it is in flight. */
export const changeable = (post: Post, nowMs: number): Condition =>
  post.status === 'scheduled' ? allOf(unchanged(post), leaseFree(nowMs), attemptAsRead(post)) : unchanged(post)

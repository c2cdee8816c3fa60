import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { allOf, type Change, type Condition } from '../../db/expression.ts'
import { notSwept } from '../../db/sweep-at.ts'
import { update, type Write } from '../../db/table.ts'
import type { FailureReason } from '../../events/failure-reasons.ts'
import type { Prepared, PreparedRef } from '../../platforms/adapter.ts'
import type { AttemptRecord } from './attempt-record.ts'
import {
  type Attempt,
  attemptRefPath,
  externalKey,
  indexKeys,
  noAttempts,
  type Post,
  posts,
  reconciliationPath,
} from './row.ts'
import { awaitsTurn, changeable, claimable, preparable, reconcilable, reconciledAttempt, unchanged } from './state.ts'
import { postLifecycle, retryClears, type TransitionName } from './transitions.ts'
import { prepareLease, publicationWork } from './work.ts'

/** The write of a transition that the author sees: the row, its index attributes, and its event. */
export const statusWrite = (
  name: Exclude<TransitionName, 'delete'>,
  { post, change, when, eventId }: { post: Post; change: Change; when: Condition; eventId: string },
): Write => {
  const keys = indexKeys(post, postLifecycle.to(name))
  const set = { ...change.set, ...keys, lastEventId: eventId }
  const remove = [...(change.remove ?? []), ...(keys.statusKey === undefined ? ['statusKey'] : [])]
  return postLifecycle.write(name, post, { ...change, set, remove, add: { sequence: 1, ...change.add } }, when)
}

// By the author.

/** Cancels a post. Messages and claims of its version have no effect any longer. */
export const cancel = (post: Post, nowMs: number, eventId: string): Write =>
  statusWrite('cancel', {
    post,
    change: { add: { version: 1 } },
    when: changeable(post, nowMs),
    eventId,
  })

/** The content of a new version of a post; undefined fields are removed from the row. */
export type NewVersion = Pick<
  Post,
  | 'content'
  | 'bodyId'
  | 'metadata'
  | 'media'
  | 'pendingImports'
  | 'mediaError'
  | 'assets'
  | 'firstComment'
  | 'scheduledAt'
  | 'scheduledAtMs'
  | 'capMonth'
  | 'version'
  | 'externalId'
>

/**
 * The post with its new time or content, as its next version. The reconciliation of an unconfirmed attempt starts again (pipeline
 * rule 3, shared/README.md).
 */
export const reschedule = (post: Post, next: NewVersion, sweep: object, nowMs: number, eventId: string): Write => {
  const { externalId } = next
  const waitingKey = externalId === undefined ? undefined : externalKey(post.workspaceId, externalId)
  const gone = Object.entries({ ...next, waitingKey }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const waits = awaitsTurn(post)
  return statusWrite('reschedule', {
    post,
    change: {
      set: { ...next, waitingKey, ...noAttempts, error: null, ...(waits ? {} : sweep) },
      remove: [...gone, ...(waits ? notSwept : []), ...(post.attempt === undefined ? [] : [reconciliationPath])],
    },
    when: changeable(post, nowMs),
    eventId,
  })
}

// By the preparer.

const write = (
  ctx: Context,
  name: TransitionName,
  { post, change, when }: { post: Post; change: Change; when: Condition },
): Promise<boolean> => wasCurrent(update(ctx, posts.key(post), postLifecycle.change(name, change), when))

const queued = (post: Post, now: number) => ({
  publishQueued: true,
  ...publicationWork.swept(post.id, Math.max(post.scheduledAtMs, now)),
})

/** Stores that the publisher's message is in its queue. */
export const recordQueued = (ctx: Context, post: Post): Promise<boolean> => {
  const now = ctx.clock.now()
  return write(ctx, 'enqueue', { post, change: { set: queued(post, now) }, when: preparable(post, now) })
}

/** The post can be prepared, and no other worker prepares it. */
export const preparableAlone = (post: Post, nowMs: number): Condition =>
  allOf(preparable(post, nowMs), prepareLease.isFree(nowMs))

/** A post that this worker prepares. */
export type PreparedPost = Post & { prepareLeaseToken: number }

/** Claims a post to prepare it; undefined if another worker does. `isQueued`: the publisher's message is in its queue. */
export const beginPreparing = async (
  ctx: Context,
  post: Post,
  isQueued: boolean,
): Promise<PreparedPost | undefined> => {
  const now = ctx.clock.now()
  const change = {
    set: { prepareLeaseUntilMs: prepareLease.untilMs(now), ...(isQueued ? queued(post, now) : {}) },
    add: { prepareLeaseToken: 1 },
  }
  const claim = update(ctx, posts.key(post), postLifecycle.change('beginPreparing', change), preparableAlone(post, now))
  const item = await ifCurrent(claim)
  const row = item && posts.parse(item)
  return row && { ...row, prepareLeaseToken: row.prepareLeaseToken ?? 1 }
}

/** Stores the preparation. */
export const keepPrepared = (ctx: Context, post: PreparedPost, done: Prepared): Promise<boolean> => {
  const preparation = 'ready' in done ? { ready: done.ready, expiresAtMs: done.expiresAtMs } : { resume: done.resume }
  const when = allOf(preparable(post, ctx.clock.now()), prepareLease.ownsLease(post))
  return write(ctx, 'prepare', { post, change: { set: { preparation } }, when })
}

/** Stores how to resume a post whose media the platform still processes at the post's time. */
export const waitForMedia = (ctx: Context, post: Post, wait: Extract<Prepared, { waitSeconds: number }>) => {
  const now = ctx.clock.now()
  const set = {
    preparation: { resume: wait.resume },
    ...publicationWork.dueAt(post.id, now + wait.waitSeconds * 1000, now),
  }
  const change = { set, setOnce: { mediaPendingSinceMs: now } }
  return write(ctx, 'waitForMedia', { post, change, when: claimable(post, now) })
}

// By the publisher.

/** The previous tweet is live: this one can be published as a reply to it. */
export const startTurn = (next: Post, replyTo: string, nowMs: number): Write =>
  postLifecycle.write(
    'startTurn',
    next,
    { set: { replyTo, ...publicationWork.swept(next.id, nowMs) } },
    unchanged(next),
  )

/** What is known about a post whose rows were restored. */
interface Presumed extends Pick<Attempt, 'witness'> {
  makeKey: string
  restoredToMs: number
  isRepeated: boolean
}

/**
 * After a restore of the table to a time: an attempt whose outcome is unknown, as if the service had called the platform
 * since. Nothing is sent before its outcome is known. The search starts at the restored time, or at the time of the post if
 * that was earlier: its author may have moved it to an earlier time.
 */
export const presumeSent = (
  ctx: Context,
  post: Post,
  { makeKey, restoredToMs, isRepeated, witness }: Presumed,
): Promise<boolean> => {
  const now = ctx.clock.now()
  const { attempt: known, preparation, version } = post
  const ref = preparation !== undefined && 'ready' in preparation ? preparation.ready : {}
  const attempt: Attempt = {
    clientKey: post.clientKey ?? makeKey,
    ref,
    ...known,
    version,
    startedAtMs: now,
    restoredAtMs: now,
    ...(isRepeated ? { isRepeated } : {}),
    ...(witness === undefined ? {} : { witness }),
  }
  const earliestMs = Math.min(post.presumedLostAtMs ?? now, known?.startedAtMs ?? now)
  const set = {
    attempt,
    presumedLostAtMs: Math.min(earliestMs, post.scheduledAtMs, restoredToMs),
    ...(known !== undefined && known.version !== version ? { earlierMayBeLive: true } : {}),
    ...(awaitsTurn(post) ? {} : publicationWork.swept(post.id, now)),
  }
  return write(ctx, 'presumeSent', { post, change: { set, add: { leaseToken: 1 } }, when: unchanged(post) })
}

/** Claims a post. If an earlier lease has ended, its holder crashed. Undefined if another worker was first. */
const claim = (
  ctx: Context,
  name: TransitionName,
  { post, when, change }: { post: Post; when: Condition; change: Change },
): Promise<Post | undefined> => {
  const crashed = post.leaseUntilMs === undefined ? {} : { crashedAttempts: 1 }
  return publicationWork.claim(ctx, post, { ...postLifecycle.change(name, { ...change, add: crashed }), when })
}

/**
 * Claims a post and journals the attempt in one conditional write: from here on, the attempt may be live. Also stores media
 * that were just prepared, for the next attempt; without media, storing is not worth the write units.
 */
export const claimToPublish = (
  ctx: Context,
  post: Post,
  { makeKey, ref, expiresAtMs }: { makeKey: string; ref: PreparedRef; expiresAtMs: number },
): Promise<Post | undefined> => {
  const startedAtMs = ctx.clock.now()
  const clientKey = post.clientKey ?? makeKey
  const attempt: Attempt = { version: post.version, clientKey, startedAtMs, ref }
  const hasMedia = post.media.length > 0 || post.assets !== undefined
  const set = { attempt, clientKey, ...(hasMedia ? { preparation: { ready: ref, expiresAtMs } } : {}) }
  return claim(ctx, 'claim', { post, when: claimable(post, startedAtMs), change: { set } })
}

/** Claims a post that could not be made ready, to report it; no attempt is made, so none is journaled. */
export const claimToFail = (ctx: Context, post: Post): Promise<Post | undefined> =>
  claim(ctx, 'claim', { post, when: claimable(post, ctx.clock.now()), change: {} })

/** Claims a post whose attempt is unconfirmed, to reconcile it. */
export const claimToReconcile = (ctx: Context, post: Post): Promise<Post | undefined> => {
  const sinceMs = ctx.clock.now()
  const change = { setOnce: { [reconciliationPath]: { sinceMs, negativeProbes: 0 } } }
  return claim(ctx, 'claimToReconcile', { post, when: reconcilable(post, sinceMs), change })
}

/** The attempt certainly failed: the post can be attempted again. */
export const retried = (
  after: Pick<Post, 'failedAttempts' | 'presumedLostAtMs' | 'earlierMayBeLive'>,
  clears: Partial<Record<keyof typeof retryClears, boolean>> = {},
): Change => {
  const remove = (Object.keys(retryClears) as Clears[]).flatMap((reason) => (clears[reason] ? retryClears[reason] : []))
  return postLifecycle.change('retry', { set: after, remove })
}
type Clears = keyof typeof retryClears

const reconciledLater = (
  name: 'startReconciling' | 'continueReconciling',
  reconciliation: NonNullable<Attempt['reconciliation']>,
): Change => postLifecycle.change(name, { set: { [reconciliationPath]: reconciliation } })

/** The outcome of the attempt is unknown: it is looked up from now on, by `ref` if the platform returned one. */
export const reconcilingFrom = (sinceMs: number, ref?: Attempt['ref']): Change => {
  const change = reconciledLater('startReconciling', { sinceMs, negativeProbes: 0 })
  return ref === undefined ? change : { ...change, set: { ...change.set, [attemptRefPath]: ref } }
}

/** The outcome is still unknown: it is looked up again. */
export const reconcilingStill = (claimed: Post, negativeProbes: number): Change => {
  const { sinceMs } = reconciledAttempt(claimed).reconciliation
  return reconciledLater('continueReconciling', { sinceMs, negativeProbes })
}

/** The end of a publication as shown to the user. */
export type Ending =
  | { by: 'publish'; url: string | null; platformId: string | null }
  | { by: 'fail' | 'giveUp' | 'breakThread'; error: string; reason: FailureReason; retrySafe: boolean }

export const statusOf = ({ by }: Ending) => postLifecycle.to(by)

const setBy = (ending: Ending, nowMs: number): Partial<Post> =>
  ending.by === 'publish'
    ? { publishedPostUrl: ending.url, platformPostId: ending.platformId, publishedAtMs: nowMs, error: null }
    : { error: ending.error, reason: ending.reason, retrySafe: ending.retrySafe }

/** When a publication ends, its attempts, and its event. */
interface Close {
  nowMs: number
  attempts: readonly AttemptRecord[]
  eventId: string
}

/** The write that ends the publication of a post. */
export const finish = (post: Post, ending: Ending, when: Condition, { nowMs, attempts, eventId }: Close): Write =>
  statusWrite(ending.by, {
    post,
    change: { set: { ...setBy(ending, nowMs), attempts } },
    when,
    eventId,
  })

/** Whether an ending releases the post's slots in the cap on X. */
export const releasesCap = ({ by }: Ending): boolean =>
  postLifecycle.transitions[by].clears.some((name) => name === 'capMonth')

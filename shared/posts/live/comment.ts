import type { Context } from '../../context.ts'
import type { Claimed } from '../../db/lease.ts'
import type { PlatformCall, Prepared, ProbeResult, PublishingCalls } from '../../platforms/adapter.ts'
import { clientKeyOf, commentCallsOf } from '../../platforms/adapters.ts'
import { isMadeAnew, PlatformError } from '../../platforms/platform-error.ts'
import type { PublishedPost } from '../../platforms/post.ts'
import { retryAfterRefresh } from '../../social-accounts/refresh-credentials.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { asSentence } from '../../text/as-sentence.ts'
import { postEvent } from '../event.ts'
import { type Attempt, commentEndPath, type Post } from '../lifecycle/row.ts'
import { reconciledAttempt } from '../lifecycle/state.ts'
import {
  commentDueMs,
  type FirstComment,
  type FirstCommentMessage,
  firstComments,
  firstCommentWork,
} from '../live-work/work.ts'
import { openCommentCall } from '../publishing/open-call.ts'
import {
  attemptOf,
  probeBy,
  probeRestored,
  publishedBefore,
  repeatOnce,
  waitAfterAbsence,
  waitAfterUnclear,
} from '../publishing/probe.ts'
import { waitBeforeLookUp } from '../publishing/release.ts'
import { beginStep, endStep, isOverdue, type LiveStep, tryAgain } from './step.ts'

type Step = LiveStep<FirstComment>

/** A first comment that can be sent, and how. */
interface Sending extends Step {
  account: SocialAccount
  text: string
  replyTo: string
  calls: PublishingCalls
}

const unknownOutcome = 'Outcome unknown: check the post before you write the comment again.'

const ended = async (
  ctx: Context,
  step: Step,
  end: NonNullable<NonNullable<Post['firstComment']>['ended']>,
): Promise<void> => {
  const { error: commentError, platformId: commentId = null, url: commentUrl = null, mayBeLive = false } = end
  await endStep(ctx, step, {
    transition: 'endFirstComment',
    change: { set: { [commentEndPath]: end } },
    event: (after, text) =>
      commentError === undefined
        ? postEvent('post.comment_published', after, text, {
            commentId,
            commentUrl,
            commentedAt: new Date(end.atMs).toISOString(),
          })
        : postEvent('post.comment_failed', after, text, { commentError, commentMayBeLive: mayBeLive }),
  })
}

const published = (ctx: Context, step: Step, { id: platformId, url }: PublishedPost): Promise<void> =>
  ended(ctx, step, { atMs: ctx.clock.now(), platformId, url })

const failed = (ctx: Context, step: Step, error: string): Promise<void> =>
  ended(ctx, step, { atMs: ctx.clock.now(), error })

/** Decided: an outcome that cannot be determined is a failure, and the comment is not sent again. */
const outcomeUnknown = (ctx: Context, step: Step): Promise<void> =>
  ended(ctx, step, { atMs: ctx.clock.now(), error: unknownOutcome, mayBeLive: true })

const openComment = (ctx: Context, sending: Sending, refresh = false): Promise<PlatformCall> => {
  const { post, text, replyTo } = sending
  return openCommentCall(ctx, sending, { text, replyTo, dueAtMs: commentDueMs(post) }, refresh)
}

/** Everything that a look-up needs; undefined if the account's credentials are not available. */
const openLookUp = (ctx: Context, sending: Sending): Promise<PlatformCall | undefined> =>
  openComment(ctx, sending).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined
    throw error
  })

const recover = async (ctx: Context, sending: Sending, error: PlatformError): Promise<void> => {
  const { claimed, calls } = sending
  const { attempt } = claimed
  if (error.errorClass === 'duplicate') {
    const first = await publishedBefore(ctx, { calls, row: claimed, open: () => openLookUp(ctx, sending) }, error)
    if (first) return published(ctx, sending, first)
  }
  if (error.errorClass === 'unknown' && attempt !== undefined) {
    const nowMs = ctx.clock.now()
    const reconciliation = { sinceMs: nowMs, negativeProbes: 0 }
    const set = { attempt: { ...attempt, ref: error.info.ref ?? attempt.ref, reconciliation } }
    return void (await firstCommentWork.continueAt(ctx, claimed, nowMs + waitBeforeLookUp(calls) * 1000, { set }))
  }
  const remove = [
    'attempt',
    ...(isMadeAnew(error, claimed.failedTries + 1) ? ['resume'] : []),
    ...(error.info.keyTaken ? ['clientKey'] : []),
  ]
  const isDenied = error.errorClass === 'permission' || error.errorClass === 'auth'
  const text =
    isDenied && !/reconnect/i.test(error.message)
      ? `${asSentence(error.message)} Reconnect the account so that it may comment.`
      : error.message
  if (!(await tryAgain(ctx, sending, error, { remove }))) await failed(ctx, sending, text)
}

const prepared = async (calls: PublishingCalls, call: PlatformCall, { resume }: FirstComment): Promise<Prepared> =>
  (await calls.prepare?.(call, resume)) ?? { ready: {}, expiresAtMs: Number.MAX_SAFE_INTEGER }

/** Prepares the comment, journals the attempt, and makes the one call. */
const send = async (ctx: Context, sending: Sending): Promise<void> => {
  const { claimed, calls } = sending
  let current = sending
  try {
    const ready = await retryAfterRefresh(sending.post.platform, async (refresh) => {
      const call = await openComment(ctx, sending, refresh)
      const done = await prepared(calls, call, claimed)
      return 'resume' in done ? done : { call, ref: done.ready, built: await calls.build?.(call, done.ready) }
    })
    if ('resume' in ready) {
      const atMs = ctx.clock.now() + ready.waitSeconds * 1000
      if (isOverdue(claimed, atMs))
        return await failed(ctx, sending, 'The platform did not become ready for the comment.')
      return void (await firstCommentWork.continueAt(ctx, claimed, atMs, { set: { resume: ready.resume } }))
    }
    const { call, ref, built } = ready
    const clientKey = claimed.clientKey ?? clientKeyOf(calls, call.post)
    const attempt: Attempt = { version: 1, clientKey, startedAtMs: ctx.clock.now(), ref }
    current = { ...sending, claimed: await firstCommentWork.save(ctx, claimed, { set: { attempt, clientKey } }) }
    const live = await retryAfterRefresh(sending.post.platform, async (refresh) =>
      calls.commit(refresh ? await openComment(ctx, sending, true) : call, ref, attempt.clientKey, built),
    )
    await published(ctx, current, live)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    await recover(ctx, current, error)
  }
}

const lookUp = async (ctx: Context, sending: Sending): Promise<ProbeResult> => {
  const { calls, claimed } = sending
  const call = await openLookUp(ctx, sending)
  if (!call) return { kind: 'unclear' }
  if (reconciledAttempt(claimed).restoredAtMs !== undefined) return probeRestored(calls, call, claimed)
  const attempt = attemptOf(claimed)
  return (await repeatOnce(calls, call, attempt)) ?? (await probeBy(calls, call, attempt))
}

/** Finds the outcome of an attempt that may be live; it is sent again only if its absence is proven. */
const settle = async (ctx: Context, sending: Sending): Promise<void> => {
  const { claimed, calls } = sending
  const nowMs = ctx.clock.now()
  const attempt = reconciledAttempt(claimed)
  const later = (wait: { waitSeconds: number; negativeProbes: number } | undefined) => {
    if (!wait) return undefined
    const reconciliation = { ...attempt.reconciliation, negativeProbes: wait.negativeProbes }
    const change = { set: { attempt: { ...attempt, reconciliation } } }
    return firstCommentWork.continueAt(ctx, claimed, ctx.clock.now() + wait.waitSeconds * 1000, change)
  }
  const result = await lookUp(ctx, sending)
  switch (result.kind) {
    case 'published':
      return published(ctx, sending, result)
    case 'rejected':
      return recover(ctx, sending, result.error)
    case 'unprovable':
      return outcomeUnknown(ctx, sending)
    case 'unclear':
      return void ((await later(waitAfterUnclear(attempt, nowMs))) ?? (await outcomeUnknown(ctx, sending)))
    case 'absent': {
      if (await later(waitAfterAbsence(calls, attempt, nowMs))) return
      const lost = new PlatformError('transient', 'The platform did not return a clear response and has no comment.')
      const set = { presumedLostAtMs: claimed.presumedLostAtMs ?? attempt.startedAtMs }
      if (!(await tryAgain(ctx, sending, lost, { set, remove: ['attempt'] }))) await failed(ctx, sending, lost.message)
    }
  }
}

/** A call that may have been made: its outcome is looked up, also if its worker died. */
const reconciling = (claimed: Claimed<FirstComment>, nowMs: number): Claimed<FirstComment> => {
  const { attempt } = claimed
  if (attempt === undefined) return claimed
  return { ...claimed, attempt: { reconciliation: { sinceMs: nowMs, negativeProbes: 0 }, ...attempt } }
}

/** Runs one try to publish the first comment of a live post, or to find out whether it exists. */
export const publishFirstComment = async (ctx: Context, message: FirstCommentMessage): Promise<void> => {
  const parts = { workspaceId: message.workspaceId, id: message.firstCommentId }
  const begun = await beginStep(ctx, { rows: firstComments, work: firstCommentWork }, parts)
  if (!begun) return
  const nowMs = ctx.clock.now()
  const step = { ...begun, claimed: reconciling(begun.claimed, nowMs) }
  const { claimed, account, post } = step
  const isInDoubt = claimed.attempt !== undefined
  const calls = commentCallsOf(post.platform)
  const stop = (why: string) => (isInDoubt ? outcomeUnknown(ctx, step) : failed(ctx, step, why))
  const { firstComment, platformPostId: replyTo, liveDeletedAtMs } = post
  if (firstComment === undefined || calls === undefined) return stop('The platform takes no comments by its API.')
  if (!replyTo) return stop('The platform did not say which post is to be commented on.')
  if (liveDeletedAtMs !== undefined) return stop('The post was deleted at its platform before its first comment.')
  if (!account || !isUsable(account))
    return stop('The account is disconnected. Reconnect it, and write the comment there.')
  if (!isInDoubt && isOverdue(claimed, nowMs)) return stop('The comment was more than a day late.')
  const sending: Sending = { ...step, account, calls, replyTo, text: firstComment.text }
  await (isInDoubt ? settle(ctx, sending) : send(ctx, sending))
}

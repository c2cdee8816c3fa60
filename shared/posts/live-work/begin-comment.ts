import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, equal, present } from '../../db/expression.ts'
import { revokedLease } from '../../db/lease.ts'
import { update, type Write } from '../../db/table.ts'
import { clientKeyOf, commentCallsOf } from '../../platforms/adapters.ts'
import type { Attempt, Post } from '../lifecycle/row.ts'
import { commentDueMs, commentIdOf, type FirstComment, firstComments, firstCommentWork } from './work.ts'

/** A call that may have been made before the table was restored. */
const presumedAttempt = (
  { id, platform, clientKey }: Pick<FirstComment, 'id' | 'platform' | 'clientKey'>,
  dueAtMs: number,
  nowMs: number,
): Attempt => {
  const named = { id: commentIdOf({ id }), version: 1, scheduledAtMs: dueAtMs }
  const key = clientKey ?? clientKeyOf(commentCallsOf(platform) ?? {}, named)
  return { version: 1, clientKey: key, startedAtMs: nowMs, ref: {}, restoredAtMs: nowMs }
}

interface Beginning {
  write: Write
  enqueue(ctx: Context): Promise<void>
}

/** What starts the first comment of a post that is published now; undefined for a post without one. */
export const beginComment = (post: Post, nowMs: number): Beginning | undefined => {
  const { firstComment, id, workspaceId, socialAccountId, platform } = post
  if (firstComment === undefined) return undefined
  const dueAtMs = nowMs + firstComment.delaySeconds * 1000
  const row: FirstComment = {
    id,
    workspaceId,
    socialAccountId,
    platform,
    requestedAtMs: dueAtMs,
    failedTries: 0,
    // After a restore, the comment may be live as its post is.
    ...(post.attempt?.restoredAtMs === undefined
      ? {}
      : {
          attempt: presumedAttempt({ id, platform }, commentDueMs(post), nowMs),
          presumedLostAtMs: Math.min(post.scheduledAtMs, post.presumedLostAtMs ?? post.scheduledAtMs),
        }),
  }
  const put = { ...firstComments.item(row), ...firstCommentWork.dueAt(id, dueAtMs, nowMs) }
  return { write: { put }, enqueue: (ctx) => firstCommentWork.enqueueAt(ctx, row, dueAtMs) }
}

/**
 * After a restore of the table to a time: a comment that was due since then may be live. False if it changed in the
 * meantime.
 */
export const presumeCommentSent = (ctx: Context, row: FirstComment, restoredToMs: number): Promise<boolean> => {
  const nowMs = ctx.clock.now()
  const attempt = {
    ...presumedAttempt(row, row.requestedAtMs, nowMs),
    ...row.attempt,
    startedAtMs: nowMs,
    restoredAtMs: nowMs,
  }
  const presumedLostAtMs = Math.min(row.attempt?.startedAtMs ?? nowMs, row.requestedAtMs, restoredToMs)
  const change = {
    set: { attempt, presumedLostAtMs, ...firstCommentWork.swept(row.id, nowMs) },
    add: revokedLease.add,
    remove: [...revokedLease.remove, 'dueAtMs'],
  }
  const asRead = row.attempt === undefined ? absent('attempt') : equal('attempt.startedAtMs', row.attempt.startedAtMs)
  return wasCurrent(update(ctx, firstComments.key(row), change, allOf(present('PK'), asRead)))
}

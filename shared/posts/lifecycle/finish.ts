import type { Context } from '../../context.ts'
import type { Condition } from '../../db/expression.ts'
import { notSwept } from '../../db/sweep-at.ts'
import { TransactionFailed, transact, type Write } from '../../db/table.ts'
import { enqueueRelay } from '../../events/enqueue-relay.ts'
import { recordEvents } from '../../events/outbox.ts'
import { ulid } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { type AttemptEnd, recordAttempt } from '../attempt-log.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { type Ending, endingEvent, told } from '../publishing/ending.ts'
import { type FollowUp, followUp, sendNext } from '../publishing/follow-up.ts'
import { releaseCap } from '../x-cap.ts'
import { attemptFields, claimFields } from './claim.ts'
import type { Post } from './row.ts'
import { moveStatus } from './transition.ts'

/** What the row of an ended post keeps and loses. */
const changeOf = (ending: Ending) => {
  const failed = ending.to === 'failed'
  const keep = failed && ending.keepAttempt === true
  return {
    set: failed
      ? { error: ending.error, reason: ending.reason, retrySafe: ending.retrySafe }
      : { publishedPostUrl: ending.url, platformPostId: ending.platformId, error: null },
    remove: [
      ...claimFields,
      ...notSwept,
      ...(keep ? [] : [...attemptFields, 'clientKey']),
      'prepared',
      'resume',
      'retries',
      'waitsFromMs',
      'doubtedAtMs',
      // What is not live gives its place in the cap back; what may be live keeps it.
      ...(failed && !keep ? ['capMonth'] : []),
    ],
  }
}

/** The transaction is over for good: the row was no longer ours, or what follows it has changed meanwhile. */
const lostBy = (error: unknown): 'row' | 'follow-up' | undefined => {
  if (!(error instanceof TransactionFailed)) return undefined
  const [own, ...others] = error.codes
  if (own === 'ConditionalCheckFailed') return 'row'
  return others.includes('ConditionalCheckFailed') ? 'follow-up' : undefined
}

/**
 * Ends a publication in one transaction: status, url or error, counts, attempt, event and what follows in a thread.
 * False where the post was no longer ours to end.
 */
export const finish = async (
  ctx: Context,
  workspace: Workspace,
  post: Post,
  text: string,
  ending: Ending,
  when: Condition,
  attempt: AttemptEnd,
): Promise<boolean> => {
  const now = ctx.clock.now()
  const outboxId = ulid(now)
  const end = told(post, ending)
  const change = changeOf(end)
  const released = change.remove.includes('capMonth') ? [post] : []
  const write = async (after: FollowUp) => {
    const { row } = moveStatus(post, ending.to, change, when)
    const own = endingEvent(workspace, post, text, end, now, after.facts)
    const events = recordEvents(ctx, outboxId, workspace.id, [own, ...after.events])
    const moves = sumMoves([{ post, from: post.status, to: ending.to }, ...after.moves])
    const cap = releaseCap(workspace.id, [...released, ...after.released])
    const rest: Write[] = [...after.rows, ...events, recordAttempt(post, attempt, now), ...cap]
    await transact(ctx, () => [row, ...rest, ...countPosts(workspace.id, moves)])
  }
  const after = await followUp(ctx, workspace, post, ending, now)
  try {
    await write(after)
  } catch (error) {
    const lost = lostBy(error)
    if (lost === 'row') return false
    if (lost === 'follow-up') return finish(ctx, workspace, post, text, ending, when, attempt)
    if (!(error instanceof Error) || error.name !== 'ValidationException') throw error
    // Nothing after the call may undo it: what can be written is written, the rest is left marked (pipeline rule 11).
    const marked = moveStatus(post, ending.to, { ...change, set: { ...change.set, repairCounts: true } }, when)
    const events = recordEvents(ctx, outboxId, workspace.id, [endingEvent(workspace, post, text, end, now)])
    await transact(ctx, () => [marked.row, ...events])
    ctx.log.error('counts need repair', { postId: post.id, reason: error.message })
  }
  await Promise.all([enqueueRelay(ctx, workspace.id, outboxId), sendNext(ctx, after)])
  return true
}

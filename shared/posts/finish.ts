import { send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import type { Condition } from '../db/expression.ts'
import { TransactionFailed, transact } from '../db/table.ts'
import { asleep } from '../db/wake.ts'
import { ulid } from '../ids.ts'
import { type Event, recordEvents } from '../webhooks/event.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type AttemptEnd, recordAttempt } from './attempt.ts'
import { attemptFields, claimFields } from './claim.ts'
import type { RelayMessage } from './messages.ts'
import type { Post } from './post.ts'
import { countPosts, moveStatus, postEvent } from './transition.ts'

/** The end of a publication as the user will see it. */
export type Ending =
  | { to: 'published'; url: string; platformId: string }
  | { to: 'failed'; error: string; reason: string; retrySafe: boolean; keepAttempt?: boolean }

const lateAfterMs = 60_000

const eventOf = (workspace: Workspace, post: Post, text: string, ending: Ending, now: number): Event => {
  const lateMs = now - post.scheduledAtMs
  const late = lateMs > lateAfterMs ? { lateBySeconds: Math.floor(lateMs / 1000) } : {}
  const after = { ...post, status: ending.to, sequence: post.sequence + 1 }
  if (ending.to === 'published') {
    const published = { ...after, publishedPostUrl: ending.url, error: null }
    const more = { publishedAt: new Date(now).toISOString(), platformPostId: ending.platformId, ...late }
    return postEvent('post.published', workspace, published, text, now, more)
  }
  const { error, reason, retrySafe } = ending
  return postEvent('post.publish_failed', workspace, { ...after, error }, text, now, { reason, retrySafe, ...late })
}

/** Tells relay-events at once; the sweeper would find the row within a minute. */
export const nudge = async (ctx: Context, workspaceId: string, outboxId: string): Promise<void> => {
  const body: RelayMessage = { workspaceId, outboxId }
  try {
    await send(ctx, 'events', { body, group: workspaceId })
  } catch (error) {
    ctx.log.warn('event left to the sweeper', { outboxId, reason: String(error) })
  }
}

/**
 * Ends a publication in one transaction: status, url or error, counts, attempt and event. False where the post was no
 * longer ours to end.
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
  const keep = ending.to === 'failed' && ending.keepAttempt === true
  const set = ending.to === 'published' ? { publishedPostUrl: ending.url, error: null } : { error: ending.error }
  const remove = [
    ...claimFields,
    ...asleep,
    ...(keep ? [] : [...attemptFields, 'clientKey']),
    'prepared',
    'resume',
    'retries',
  ]
  const { row, moves } = moveStatus(post, ending.to, { set, remove }, when)
  const events = recordEvents(outboxId, workspace.id, [eventOf(workspace, post, text, ending, now)], now)
  const log = recordAttempt(post, attempt, now)
  try {
    await transact(ctx, () => [row, ...events, log, ...countPosts(workspace.id, moves)])
  } catch (error) {
    if (error instanceof TransactionFailed && error.codes[0] === 'ConditionalCheckFailed') return false
    if (!(error instanceof Error) || error.name !== 'ValidationException') throw error
    // Nothing after the call may undo it: what can be written is written, the rest is left marked (pipeline rule 11).
    const marked = moveStatus(post, ending.to, { set: { ...set, repairCounts: true }, remove }, when)
    await transact(ctx, () => [marked.row, ...events])
    ctx.log.error('counts need repair', { postId: post.id, reason: error.message })
  }
  await nudge(ctx, workspace.id, outboxId)
  return true
}

import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { conditionFailed } from '../../db/condition-failed.ts'
import type { Condition } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import type { ThreadData } from '../../events/catalog.ts'
import type { NewEvent } from '../../events/event.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { countPosts, sumMoves } from '../counts.ts'
import { postEvent } from '../event.ts'
import type { Post } from '../lifecycle/row.ts'
import { type Ending, finish, releasesCap, statusOf } from '../lifecycle/writes.ts'
import { beginComment } from '../live-work/begin-comment.ts'
import { releaseCap } from '../x-cap.ts'
import { type AttemptEnd, failureOf, logAttempt, recordAttempt } from './attempt-log.ts'
import { type FollowUp, followUp, type Step, sendNext } from './follow-up.ts'
import type { Endable } from './publication.ts'

const lateAfterMs = 60_000

/** Adds to the error of a failed tweet how much of its thread is live. */
const withThreadProgress = (post: Pick<Post, 'thread'>, ending: Ending): Ending => {
  if (ending.by === 'publish' || post.thread === undefined || post.thread.index === 0) return ending
  const { index, total } = post.thread
  return { ...ending, error: `${index} of ${total} tweets are live. ${ending.error}` }
}

/** The event of an ending. */
const endingEvent = ({ post, text }: Endable, ending: Ending, now: number, more: ThreadData = {}): NewEvent => {
  const lateMs = now - post.scheduledAtMs
  const late = lateMs > lateAfterMs ? { lateBySeconds: Math.floor(lateMs / 1000) } : {}
  const after = { ...post, status: statusOf(ending), sequence: post.sequence + 1 }
  const again = post.attempt?.restoredAtMs === undefined ? {} : { afterRestore: true }
  if (ending.by === 'publish') {
    const published = { ...after, publishedPostUrl: ending.url, error: null }
    const publishedAt = new Date(now).toISOString()
    return postEvent('post.published', published, text, {
      publishedAt,
      platformPostId: ending.platformId,
      ...late,
      ...again,
    })
  }
  const { error, reason, retrySafe } = ending
  return postEvent('post.publish_failed', { ...after, error }, text, { reason, retrySafe, ...late, ...again, ...more })
}

/** How a publication ends, with its condition, and how its attempt ended. */
interface End {
  ending: Ending
  when: Condition
  attempt: AttemptEnd
}

/** The attempts of a post that ends. */
const attemptsOf = ({ post }: Endable, ending: Ending, attempt: AttemptEnd, nowMs: number) => {
  if (ending.by === 'publish') return recordAttempt(post, { ends: 'published', warning: attempt.warning }, nowMs)
  const ends = ending.by === 'giveUp' ? 'unknown' : 'failed'
  return recordAttempt(post, { ends, failure: failureOf(attempt, ending) }, nowMs)
}

type Sums = Pick<Step, 'moves' | 'released'>

/** The changes of caps and counts of several steps. */
const sumsOf = (workspace: Workspace, steps: readonly Sums[]) => {
  const moves = sumMoves(steps.flatMap((step) => step.moves))
  const released = releaseCap(
    workspace,
    steps.flatMap((step) => step.released),
  )
  return [...released, ...countPosts(workspace.id, moves)]
}

type EventIds = (index: number) => string

/** One transaction of several steps. */
const unitOf = (workspace: Workspace, steps: readonly Step[]) => ({
  writes: steps.map(({ row }) => row),
  events: steps.flatMap(({ events }) => events),
  counts: () => sumsOf(workspace, steps),
})

/** DynamoDB rejects the transaction as invalid, and would reject it again. */
const isInvalid = (error: unknown): error is Error => error instanceof Error && error.name === 'ValidationException'

/**
 * Writes the parts of an ended publication other than status and event, each separately. A part that cannot be written
 * is logged and left out: nothing after the publishing call may undo or repeat it.
 */
const writeApart = async (
  ctx: Context,
  { workspace, post }: Endable,
  { sums, more, rest }: { sums: Sums; more: readonly Write[]; rest: FollowUp['steps'] },
) => {
  const ofOwn = () => ({ writes: sumsOf(workspace, [sums]), events: [] })
  const ofMore = more.map((write) => () => ({ writes: [write], events: [] }))
  const ofRest = rest.map((stepWith) => (idAt: EventIds) => unitOf(workspace, [stepWith(idAt(0))]))
  for (const unitWith of [ofOwn, ...ofMore, ...ofRest]) {
    try {
      await commitWithEvents(ctx, workspace, unitWith)
    } catch (error) {
      ctx.log.error('part of a commit left out', { postId: post.id, reason: String(error) })
    }
  }
}

/**
 * Ends a publication in one transaction: status, URL or error, counts, event, and what follows in a thread. Returns false if
 * this worker no longer held the post. A transaction that DynamoDB rejects as invalid is divided: status, URL, and event
 * first, then the rest separately (pipeline rule 11, shared/README.md).
 */
export const endPublication = async (ctx: Context, publication: Endable, end: End): Promise<boolean> => {
  const { workspace, post } = publication
  const now = ctx.clock.now()
  const ending = withThreadProgress(post, end.ending)
  const after = await followUp(ctx, publication, ending, now)
  const attempts = attemptsOf(publication, ending, end.attempt, now)
  const sums: Sums = {
    moves: [{ post, from: post.status, to: statusOf(ending) }],
    released: releasesCap(ending) ? [post] : [],
  }
  const own = (eventId: string): Step => ({
    row: { as: 'post', ...finish(post, ending, end.when, { nowMs: now, attempts, eventId }) },
    events: [endingEvent(publication, ending, now, after.data)],
    ...sums,
  })
  const hasComment = ending.by === 'publish' && post.firstComment !== undefined
  const comment = hasComment ? beginComment(post, now) : undefined
  const more = comment === undefined ? [] : [comment.write]
  const follow = () => Promise.all([sendNext(ctx, after), comment?.enqueue(ctx)])
  try {
    await commitWithEvents(ctx, workspace, (idAt) => {
      const steps = [own, ...after.steps].map((stepWith, n) => stepWith(idAt(n)))
      const unit = unitOf(workspace, steps)
      return { ...unit, writes: [...unit.writes, ...more], follow }
    }).catch(async (error: unknown) => {
      if (!isInvalid(error)) throw error
      await commitWithEvents(ctx, workspace, (idAt) => {
        const { row, events } = own(idAt(0))
        return { writes: [row], events }
      })
      ctx.log.error('commit divided', { postId: post.id, reason: error.message })
      await writeApart(ctx, publication, { sums, more, rest: after.steps })
      await follow()
    })
  } catch (error) {
    if (conditionFailed(error, 'post')) return false
    // Another tweet of the thread has changed in the meantime.
    if (conditionFailed(error)) return endPublication(ctx, publication, end)
    throw error
  }
  logAttempt(ctx, post, end.attempt, ending)
  return true
}

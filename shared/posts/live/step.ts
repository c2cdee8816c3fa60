import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { ifCurrent, wasCurrent } from '../../db/condition-failed.ts'
import { allOf, type Change, type Condition, equal } from '../../db/expression.ts'
import type { Claimed } from '../../db/lease.ts'
import { batchGet, type Key, transact, type Write } from '../../db/table.ts'
import type { NewEvent } from '../../events/event.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import { callOperator } from '../../platforms/call-operator.ts'
import { isOutage, type PlatformError } from '../../platforms/platform-error.ts'
import { type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import { dayMs, minuteMs } from '../../time.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { unchanged } from '../lifecycle/state.ts'
import type { TransitionName } from '../lifecycle/transitions.ts'
import { statusWrite } from '../lifecycle/writes.ts'
import type { LiveWorkRow } from '../live-work/work.ts'
import { readTexts } from '../texts.ts'

/**
 * Waits after the 1st, 2nd, … temporary failure, in seconds, and the last one after each further failure: within five
 * minutes after an outage, all of its work is done.
 */
const waitsSeconds = [5, 30, 120, 240] as const
/** About seven hours in all. */
const maxFailedTries = 105
/** Work that platforms have delayed for longer ends. */
const longestMs = dayMs

/** One kind of work on live posts (work.ts). */
interface LiveWork<Row> {
  rows: { key(parts: Pick<Post, 'workspaceId' | 'id'>): Key }
  work: {
    claim(ctx: Context, parts: Pick<Post, 'workspaceId' | 'id'>): Promise<Claimed<Row> | undefined>
    continueAt(ctx: Context, claimed: Claimed<Row>, atMs: number, change?: Change): Promise<boolean>
    ownsLease(claimed: Claimed<Row>): Condition
  }
}

/** One try of a work item, with its subject. */
export interface LiveStep<Row> extends LiveWork<Row> {
  claimed: Claimed<Row>
  workspace: Workspace
  post: Post
  account: SocialAccount | undefined
}

const endWrite = <Row extends LiveWorkRow>(
  { rows, work }: LiveWork<Row>,
  claimed: Claimed<Row>,
  when?: Condition,
): Write => {
  const owned = work.ownsLease(claimed)
  return { delete: rows.key(claimed), when: when === undefined ? owned : allOf(owned, when) }
}

/** Claims a work item and reads its subject; undefined if it has ended, is not due, or is paused. */
export const beginStep = async <Row extends LiveWorkRow>(
  ctx: Context,
  kind: LiveWork<Row>,
  parts: Pick<Post, 'workspaceId' | 'id'>,
): Promise<LiveStep<Row> | undefined> => {
  const claimed = await kind.work.claim(ctx, parts)
  if (!claimed) return undefined
  const accountParts = { workspaceId: parts.workspaceId, id: claimed.socialAccountId }
  const keys = [posts.key(parts), socialAccounts.key(accountParts), workspaces.key({ id: parts.workspaceId })]
  const read = await batchGet(ctx, [...keys, pausesKey])
  const post = posts.from(read, parts)
  const workspace = workspaces.from(read, { id: parts.workspaceId })
  if (!post || !workspace) {
    // Its record was deleted in the meantime.
    await ifCurrent(transact(ctx, () => [endWrite(kind, claimed)]))
    return undefined
  }
  if (pausesIn(ctx, read)(post)) {
    await kind.work.continueAt(ctx, claimed, ctx.clock.now() + minuteMs)
    return undefined
  }
  return { ...kind, claimed, workspace, post, account: socialAccounts.from(read, accountParts) }
}

/** How a work item ends: the change of the post, and the event. */
interface End {
  transition: Exclude<TransitionName, 'delete'>
  change: Change
  /** The event, with the resulting post, and the text before. */
  event(after: Post, text: string): NewEvent
  /** Rows that the post refers to, written together with it. */
  writes?: readonly Write[]
  /** Further conditions on the row of the work item. */
  whenWork?: Condition
}

/**
 * Ends a work item and updates its post, also if the post has changed in the meantime, for example by another work item;
 * false if the lease was lost, or the row of the work item does not meet its conditions.
 */
export const endStep = async <Row extends LiveWorkRow>(
  ctx: Context,
  { claimed, workspace, post: read, ...kind }: LiveStep<Row>,
  { transition, change, event, writes = [], whenWork }: End,
): Promise<boolean> => {
  for (let post = read; ; ) {
    const textOf = await readTexts(ctx, [post])
    const events = [event({ ...post, sequence: post.sequence + 1 }, textOf(post))]
    // Its events are numbered without gaps: an event in the meantime has taken the number of this one.
    const when = allOf(unchanged(post), equal('sequence', post.sequence))
    const ending = commitWithEvents(ctx, workspace, (eventId) => ({
      writes: [
        endWrite(kind, claimed, whenWork),
        statusWrite(transition, { post, change, when, eventId: eventId(0) }),
        ...writes,
      ],
      events,
    }))
    if (await wasCurrent(ending)) return true
    const now = await posts.get(ctx, post)
    if (now === undefined || now.sequence === post.sequence) return false
    post = now
  }
}

/** Whether an error is a limit of the platform, which uses up no try. */
const isLimit = ({ errorClass }: PlatformError) => errorClass === 'rate' || errorClass === 'quota'

/** How long to wait after an error, in seconds; undefined if another try cannot resolve it. */
const waitAfter = (error: PlatformError, failedTries: number): number | undefined => {
  if (isLimit(error)) return error.info.retryAfterSeconds ?? 60
  const isTemporary = error.errorClass === 'transient' || error.errorClass === 'unknown' || isOutage(error)
  return isTemporary && failedTries < maxFailedTries ? (waitsSeconds[failedTries] ?? waitsSeconds.at(-1)) : undefined
}

/** Whether a work item was delayed for so long that it ends. */
export const isOverdue = ({ requestedAtMs }: LiveWorkRow, nowMs: number): boolean => nowMs > requestedAtMs + longestMs

/**
 * Tries again after an error, with another change of the row; false if another try cannot resolve the error, or the work was
 * retried for a day.
 */
export const tryAgain = async <Row extends LiveWorkRow>(
  ctx: Context,
  { claimed, post, work }: LiveStep<Row>,
  error: PlatformError,
  change: Change = {},
): Promise<boolean> => {
  const about = { postId: post.id, platform: post.platform, reason: error.message }
  callOperator(ctx, error, about)
  const nowMs = ctx.clock.now()
  const seconds = waitAfter(error, claimed.failedTries)
  const atMs = seconds === undefined ? undefined : nowMs + seconds * 1000
  const isFinal = atMs === undefined || isOverdue(claimed, atMs)
  ctx.log.info('work on a live post failed', { ...about, isFinal })
  if (isFinal) return false
  await work.continueAt(ctx, claimed, atMs, { ...change, add: { failedTries: isLimit(error) ? 0 : 1 } })
  return true
}

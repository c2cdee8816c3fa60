import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import type { Claimed } from '../../db/lease.ts'
import { batchGet, transact, type Write } from '../../db/table.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { retryAfterRefresh } from '../../social-accounts/refresh-credentials.ts'
import { isUsable, type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import { dayMs, minuteMs } from '../../time.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { postEvent } from '../event.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { unchanged } from '../lifecycle/state.ts'
import { statusWrite } from '../lifecycle/writes.ts'
import { openCall } from '../publishing/open-call.ts'
import { readTexts } from '../texts.ts'
import { type LiveDeletion, type LiveDeletionMessage, liveDeletions, liveDeletionWork } from './deletion.ts'

/** Waits after the 1st, 2nd, … temporary failure, in seconds; about seven hours in all. */
const waitsSeconds = [5, 30, 120, 600, 1800, 3600, 7200, 10_800] as const
/** A removal that platforms have put off for longer ends. */
const longestMs = dayMs

const endWrite = (claimed: Claimed<LiveDeletion>): Write => ({
  delete: liveDeletions.key(claimed),
  when: liveDeletionWork.ownsLease(claimed),
})

interface Removal {
  claimed: Claimed<LiveDeletion>
  workspace: Workspace
  post: Post
}

/** Ends the removal together with what the post says of it. If the post changed meanwhile, the sweeper starts it again. */
const finish = async (
  ctx: Context,
  { claimed, workspace, post }: Removal,
  ended: { deletedAtMs: number } | { error: string },
): Promise<void> => {
  const textOf = await readTexts(ctx, [post])
  const after: Post = { ...post, sequence: post.sequence + 1 }
  const isDeleted = 'deletedAtMs' in ended
  const event = isDeleted
    ? postEvent('post.live_deleted', after, textOf(post), {
        liveDeletedAt: new Date(ended.deletedAtMs).toISOString(),
      })
    : postEvent('post.live_delete_failed', after, textOf(post), { liveDeletionError: ended.error })
  const change = isDeleted
    ? { set: { liveDeletedAtMs: ended.deletedAtMs }, remove: ['liveDeletionError'] }
    : { set: { liveDeletionError: ended.error } }
  await ifCurrent(
    commitWithEvents(ctx, workspace, (eventId) => ({
      writes: [
        endWrite(claimed),
        statusWrite('endLiveDeletion', { post, change, when: unchanged(post), eventId: eventId(0) }),
      ],
      events: [event],
    })),
  )
}

/** The call that removes the post. A repeat of it finds nothing, which is what was wanted. */
const remove = (ctx: Context, { workspace, post }: Removal, account: SocialAccount): Promise<void> =>
  retryAfterRefresh(post.platform, async (refresh) => {
    const call = await openCall(ctx, workspace, account, post, { refresh })
    await adapterOf(post.platform).remove?.(call, post.platformPostId ?? '')
  })

const isLimit = ({ errorClass }: PlatformError) => errorClass === 'rate' || errorClass === 'quota'

/** How long to wait after an error, in seconds; undefined if another try cannot mend it. */
const waitAfter = (error: PlatformError, failedTries: number): number | undefined => {
  if (isLimit(error)) return error.info.retryAfterSeconds ?? 60
  return error.errorClass === 'transient' || error.errorClass === 'unknown' ? waitsSeconds[failedTries] : undefined
}

/** When another try follows an error; undefined if none does. */
const nextTryMs = ({ requestedAtMs, failedTries }: LiveDeletion, error: PlatformError, nowMs: number) => {
  const seconds = waitAfter(error, failedTries)
  const atMs = seconds === undefined ? undefined : nowMs + seconds * 1000
  return atMs !== undefined && atMs <= requestedAtMs + longestMs ? atMs : undefined
}

const recover = async (ctx: Context, removal: Removal, error: PlatformError): Promise<void> => {
  const { claimed, post } = removal
  const { operator = false } = error.info
  const about = { postId: post.id, platform: post.platform, reason: error.message }
  if (operator) ctx.log.error('operator action needed', about)
  const atMs = nextTryMs(claimed, error, ctx.clock.now())
  ctx.log.info('live post not deleted', { ...about, isFinal: atMs === undefined })
  if (atMs === undefined) return finish(ctx, removal, { error: error.message })
  // A limit of the platform uses up no try.
  const failures = isLimit(error) ? 0 : 1
  await liveDeletionWork.continueAt(ctx, claimed, atMs, { add: { failedTries: failures } })
}

/** Makes one try to remove a live post from its platform. */
export const removeLivePost = async (ctx: Context, message: LiveDeletionMessage): Promise<void> => {
  const { workspaceId, liveDeletionId: id } = message
  const claimed = await liveDeletionWork.claim(ctx, { workspaceId, id })
  if (!claimed) return
  const accountParts = { workspaceId, id: claimed.socialAccountId }
  const keys = [posts.key({ workspaceId, id }), socialAccounts.key(accountParts), workspaces.key({ id: workspaceId })]
  const rows = await batchGet(ctx, [...keys, pausesKey])
  const post = posts.from(rows, { workspaceId, id })
  const workspace = workspaces.from(rows, { id: workspaceId })
  const account = socialAccounts.from(rows, accountParts)
  // Its record was deleted meanwhile.
  if (!post || !workspace) return void (await ifCurrent(transact(ctx, () => [endWrite(claimed)])))
  if (pausesIn(rows)(post)) {
    await liveDeletionWork.continueAt(ctx, claimed, ctx.clock.now() + minuteMs)
    return
  }
  const removal: Removal = { claimed, workspace, post }
  if (!account || !isUsable(account)) {
    return finish(ctx, removal, {
      error: 'The account is disconnected. Reconnect it, then delete the live post again.',
    })
  }
  try {
    await remove(ctx, removal, account)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return recover(ctx, removal, error)
  }
  await finish(ctx, removal, { deletedAtMs: ctx.clock.now() })
}

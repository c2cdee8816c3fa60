import type { Context } from '../../context.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { retryAfterRefresh } from '../../social-accounts/refresh-credentials.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { postEvent } from '../event.ts'
import { type LiveDeletion, type LiveDeletionMessage, liveDeletions, liveDeletionWork } from '../live-work/work.ts'
import { openCall } from '../publishing/open-call.ts'
import { beginStep, endStep, type LiveStep, tryAgain } from './step.ts'

type Removal = LiveStep<LiveDeletion>

const finish = async (ctx: Context, removal: Removal, ended: { deletedAtMs: number } | { error: string }) => {
  const transition = 'endLiveDeletion'
  if ('deletedAtMs' in ended) {
    const liveDeletedAt = new Date(ended.deletedAtMs).toISOString()
    await endStep(ctx, removal, {
      transition,
      change: { set: { liveDeletedAtMs: ended.deletedAtMs }, remove: ['liveDeletionError'] },
      event: (after, text) => postEvent('post.live_deleted', after, text, { liveDeletedAt }),
    })
  } else {
    const { error: liveDeletionError } = ended
    await endStep(ctx, removal, {
      transition,
      change: { set: { liveDeletionError } },
      event: (after, text) => postEvent('post.live_delete_failed', after, text, { liveDeletionError }),
    })
  }
}

/** The call that removes the post. A repeat finds nothing, which is the desired result. */
const remove = (ctx: Context, { workspace, post }: Removal, account: SocialAccount): Promise<void> =>
  retryAfterRefresh(post.platform, async (refresh) => {
    const call = await openCall(ctx, workspace, account, post, { refresh })
    await adapterOf(post.platform).remove?.(call, post.platformPostId ?? '')
  })

/** Runs one try to remove a live post from its platform. */
export const removeLivePost = async (ctx: Context, message: LiveDeletionMessage): Promise<void> => {
  const parts = { workspaceId: message.workspaceId, id: message.liveDeletionId }
  const removal = await beginStep(ctx, { rows: liveDeletions, work: liveDeletionWork }, parts)
  if (!removal) return
  const { account } = removal
  if (!account || !isUsable(account)) {
    return finish(ctx, removal, {
      error: 'The account is disconnected. Reconnect it, then delete the live post again.',
    })
  }
  try {
    await remove(ctx, removal, account)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!(await tryAgain(ctx, removal, error))) await finish(ctx, removal, { error: error.message })
    return
  }
  await finish(ctx, removal, { deletedAtMs: ctx.clock.now() })
}

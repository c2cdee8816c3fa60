import type { Context } from '../../context.ts'
import { equal } from '../../db/expression.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { retryAfterRefresh } from '../../social-accounts/refresh-credentials.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { postEvent } from '../event.ts'
import type { Post } from '../lifecycle/row.ts'
import { type LiveEdit, type LiveEditMessage, liveEdits, liveEditWork } from '../live-work/work.ts'
import { openCall } from '../publishing/open-call.ts'
import { splitLongTexts } from '../texts.ts'
import { beginStep, endStep, type LiveStep, tryAgain } from './step.ts'

type Edit = LiveStep<LiveEdit>

/** The end of an edit. If a later request arrived in the meantime, the work continues with that one. */
const finish = async (
  ctx: Context,
  edit: Edit,
  end: Pick<Parameters<typeof endStep>[2], 'change' | 'event' | 'writes'>,
) => {
  const { claimed } = edit
  const whenWork = equal('edition', claimed.edition)
  if (await endStep(ctx, edit, { transition: 'endLiveEdit', ...end, whenWork })) return
  await liveEditWork.continueAt(ctx, claimed, ctx.clock.now())
}

const failed = async (ctx: Context, edit: Edit, liveEditError: string) => {
  await finish(ctx, edit, {
    change: { set: { liveEditError } },
    event: (after, text) => postEvent('post.live_edit_failed', after, text, { liveEditError }),
  })
}

const done = (ctx: Context, edit: Edit) => {
  const { content, metadata, workspaceId, edition } = edit.claimed
  const liveEditedAtMs = ctx.clock.now()
  const bodies = splitLongTexts(workspaceId, `${edit.post.id}e${edition}`)
  const next = { ...bodies.store(content), metadata }
  const removed = (['content', 'bodyId', 'metadata'] as const).filter(
    (name) => !(name in next) || next[name] === undefined,
  )
  return finish(ctx, edit, {
    change: { set: { ...next, liveEditedAtMs }, remove: ['liveEditError', ...removed] },
    event: (after) =>
      postEvent('post.live_edited', after, content, { liveEditedAt: new Date(liveEditedAtMs).toISOString() }),
    writes: bodies.writes(),
  })
}

/** The call that edits the post. It states the desired content, so that a repeat changes nothing. */
const send = (ctx: Context, { claimed, workspace, post }: Edit, account: SocialAccount): Promise<void> => {
  const { bodyId: _, ...rest } = post
  const after: Post = { ...rest, content: claimed.content, metadata: claimed.metadata }
  return retryAfterRefresh(post.platform, async (refresh) => {
    const call = await openCall(ctx, workspace, account, after, { refresh })
    await adapterOf(post.platform).edit?.(call, post.platformPostId ?? '')
  })
}

/** Another try after an error. A later request that arrived in the meantime does not wait for it. */
const recover = async (ctx: Context, edit: Edit, error: PlatformError): Promise<void> => {
  const { claimed } = edit
  const newest = await liveEdits.get(ctx, claimed)
  if (newest !== undefined && newest.edition !== claimed.edition)
    return void (await liveEditWork.continueAt(ctx, claimed, ctx.clock.now()))
  if (!(await tryAgain(ctx, edit, error))) await failed(ctx, edit, error.message)
}

/** Runs one try to edit a live post at its platform. */
export const editLivePost = async (ctx: Context, message: LiveEditMessage): Promise<void> => {
  const parts = { workspaceId: message.workspaceId, id: message.liveEditId }
  const edit = await beginStep(ctx, { rows: liveEdits, work: liveEditWork }, parts)
  if (!edit) return
  const { account, post } = edit
  if (post.liveDeletedAtMs !== undefined) return failed(ctx, edit, 'The post was deleted at its platform.')
  if (!account || !isUsable(account)) {
    return failed(ctx, edit, 'The account is disconnected. Reconnect it, then edit the live post again.')
  }
  try {
    await send(ctx, edit, account)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    await recover(ctx, edit, error)
    return
  }
  await done(ctx, edit)
}

import { isGone } from '../../aws/bucket.ts'
import { send, sendAll } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { batchGet, queryAll } from '../../db/table.ts'
import type { Prepared } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, socialAccounts } from '../../social-accounts/social-account.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { canDelay, enqueuePublish, publishMessage, publishQueue } from '../dispatch/enqueue.ts'
import type { PrepareMessage } from '../dispatch/messages.ts'
import { beginPreparing, keepPrepared, noteQueued } from '../lifecycle/prepare.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { awaitsTurn } from '../lifecycle/state.ts'
import { openCall, resumeOf } from './open-call.ts'

const prepareMessage = (post: Post): PrepareMessage => ({
  workspaceId: post.workspaceId,
  postId: post.id,
  version: post.version,
})

/** Stores what was prepared, or how to resume it, and enqueues the message to do so. */
const keep = async (ctx: Context, post: Post, done: Prepared) => {
  const isKept = await keepPrepared(ctx, post, done)
  if (!isKept || 'ready' in done) return
  await send(ctx, 'prepare', { body: prepareMessage(post), group: post.workspaceId, delaySeconds: done.waitSeconds })
}

/** Whether a post has media, which takes time; the publisher prepares text itself, five seconds before its time. */
const needsPreparing = (post: Post) =>
  post.media.length > 0 &&
  adapterOf(post.platform).prepare !== undefined &&
  !(post.preparation !== undefined && 'ready' in post.preparation)

/** Prepares one post at its platform. If it fails, the publisher tries again and reports the error to the author. */
const prepareAtPlatform = async (ctx: Context, post: Post) => {
  const found = await batchGet(ctx, [
    socialAccounts.key({ workspaceId: post.workspaceId, id: post.socialAccountId }),
    workspaces.key({ id: post.workspaceId }),
  ])
  const account = socialAccounts.from(found, { workspaceId: post.workspaceId, id: post.socialAccountId })
  const workspace = workspaces.from(found, { id: post.workspaceId })
  const { prepare } = adapterOf(post.platform)
  if (!account || !isUsable(account) || !workspace || !prepare) return
  try {
    const call = await openCall(ctx, workspace, account, post, { files: true })
    await keep(ctx, post, await prepare(call, resumeOf(post)))
  } catch (error) {
    if (!(error instanceof PlatformError) && !isGone(error)) throw error
    const reason = error instanceof PlatformError ? error.message : 'a file no longer exists'
    ctx.log.warn('preparation failed', { postId: post.id, platform: post.platform, reason })
  }
}

/**
 * Sends the publisher's message first, so that the post goes out even if its preparation fails. The media of a tweet
 * that waits for its turn is uploaded like the others, but no message is sent.
 */
const prepareOne = async (ctx: Context, post: Post) => {
  if (!canDelay(post, ctx.clock.now())) return
  const isNext = !awaitsTurn(post)
  if (isNext && !post.publishQueued) await enqueuePublish(ctx, post)
  if (!needsPreparing(post)) {
    if (isNext) await noteQueued(ctx, post)
  } else if (await beginPreparing(ctx, post, isNext)) await prepareAtPlatform(ctx, post)
}

const prepareGroup = async (ctx: Context, workspaceId: string, groupId: string) => {
  const key = allOf(equal('PK', posts.key({ workspaceId, id: groupId }).PK), begins('SK', groupId))
  const group = (await queryAll(ctx, { key })).map(posts.parse)
  // A rescheduled post has its own message.
  const due = group.filter(
    (post) => post.status === 'scheduled' && post.version === 1 && canDelay(post, ctx.clock.now()),
  )
  const [first, ...rest] = due
  if (first && rest.length === 0) return prepareOne(ctx, first)
  const awake = due.filter((post) => !awaitsTurn(post))
  for (const post of awake) if (!post.publishQueued) await enqueuePublish(ctx, post)
  const working = due.filter(needsPreparing)
  await sendAll(
    ctx,
    'prepare',
    working.map((post) => ({ body: prepareMessage(post), group: workspaceId })),
  )
  await Promise.all(awake.map((post) => noteQueued(ctx, post)))
}

/**
 * Makes posts ready before their time: the publisher's message delayed in its queue, media uploaded, and tokens
 * refreshed.
 */
export const preparePosts = async (ctx: Context, message: PrepareMessage): Promise<void> => {
  if ('groupId' in message) return prepareGroup(ctx, message.workspaceId, message.groupId)
  const post = await posts.get(ctx, { workspaceId: message.workspaceId, id: message.postId })
  if (post?.status !== 'scheduled' || post.version !== message.version) return
  // The attempt of an earlier version is reconciled first, while there is time.
  if (post.attempt !== undefined)
    await send(ctx, publishQueue(post), { body: publishMessage(post), group: post.workspaceId })
  else await prepareOne(ctx, post)
}

import { isGone } from '../../aws/bucket.ts'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { batchGet, queryAll } from '../../db/table.ts'
import { correlate } from '../../events/outbox.ts'
import { cleanFile } from '../../media/clean-file.ts'
import { NotConverted } from '../../media/conversion-error.ts'
import { convertImage } from '../../media/convert-image.ts'
import { remuxVideo } from '../../media/remux-video.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import type { Prepared } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { definitionOf } from '../../platforms/definitions.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, socialAccounts } from '../../social-accounts/social-account.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { canDelay, enqueuePublish, isPublishing } from '../dispatch/enqueue.ts'
import { needsConversion } from '../files.ts'
import { finishImports } from '../imports/finish.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { awaitsTurn } from '../lifecycle/state.ts'
import { type PrepareMessage, prepareMessage, publishMessage, publishQueue } from '../lifecycle/work.ts'
import { beginPreparing, keepPrepared, type PreparedPost, recordQueued } from '../lifecycle/writes.ts'
import { openCall, resumeOf } from './open-call.ts'

/** Stores the preparation, or how to resume it, and enqueues the message to do so. */
const keep = async (ctx: Context, post: PreparedPost, done: Prepared) => {
  const isStored = await keepPrepared(ctx, post, done)
  if (!isStored || 'ready' in done) return
  await send(ctx, 'prepare', { body: prepareMessage(post), group: post.workspaceId, delaySeconds: done.waitSeconds })
}

/** Whether a post has files, which take time; the publisher prepares text itself, shortly before its time. */
const needsPreparing = (post: Post) =>
  (post.media.length > 0 || post.assets !== undefined) &&
  !(awaitsTurn(post) && definitionOf(post.platform).threads?.preparesInTurn) &&
  post.pendingImports === undefined &&
  post.mediaError === undefined &&
  adapterOf(post.platform).prepare !== undefined &&
  !(post.preparation !== undefined && 'ready' in post.preparation)

/**
 * Converts the files of one post and prepares it at its platform. If that fails, the publisher tries again and reports
 * the error to the author. False if files are not converted yet, which the publisher cannot do.
 */
const prepareAtPlatform = async (ctx: Context, post: PreparedPost): Promise<boolean> => {
  const rows = await batchGet(ctx, [
    socialAccounts.key({ workspaceId: post.workspaceId, id: post.socialAccountId }),
    workspaces.key({ id: post.workspaceId }),
    pausesKey,
  ])
  const account = socialAccounts.from(rows, { workspaceId: post.workspaceId, id: post.socialAccountId })
  const workspace = workspaces.from(rows, { id: post.workspaceId })
  const { prepare } = adapterOf(post.platform)
  if (!account || !isUsable(account) || !workspace || !prepare || pausesIn(ctx, rows)(post)) return true
  try {
    const call = await openCall(ctx, workspace, account, post, {
      convert: { clean: cleanFile, image: convertImage, video: remuxVideo },
    })
    if (needsPreparing(post)) await keep(ctx, post, await prepare(call, resumeOf(post)))
    return true
  } catch (error) {
    const isKnown = error instanceof PlatformError || error instanceof NotConverted
    if (!isKnown && !isGone(error)) throw error
    const reason = isKnown ? error.message : 'a file no longer exists'
    ctx.log.warn('preparation failed', { postId: post.id, platform: post.platform, reason })
    return !(error instanceof NotConverted)
  }
}

/** Whether the sweeper would run before the post's time, and duplicate the message in the publisher's queue. */
const isSweptEarly = ({ sweepAtMs, scheduledAtMs }: Post) => sweepAtMs !== undefined && sweepAtMs < scheduledAtMs

/** Whether the publisher cannot start a post before its files are converted, which it does not do itself. */
const waitsForConversion = (ctx: Context, post: Post) =>
  post.mediaError === undefined && isPublishing(post, ctx.clock.now()) && needsConversion(post)

/**
 * Sends the publisher's message first, so that the post is published even if its preparation fails. A post that is due and
 * whose files must be converted is the exception: its message follows the conversion. The media of a tweet that waits
 * for its turn is uploaded like the others, but no message is sent.
 */
const prepareOne = async (ctx: Context, stored: Post) => {
  if (!canDelay(stored, ctx.clock.now())) return
  const post = await finishImports(ctx, stored)
  // The end of its imports starts the post again.
  if (post === undefined || post.pendingImports !== undefined) return
  const isNext = !awaitsTurn(post)
  const isLate = waitsForConversion(ctx, post)
  if (isNext && !isLate && !post.publishQueued) await enqueuePublish(ctx, post)
  if (!needsPreparing(post) && !isLate) {
    if (isNext && isSweptEarly(post)) await recordQueued(ctx, post)
    return
  }
  const claimed = await beginPreparing(ctx, post, isNext)
  if (claimed === undefined) return
  const isConverted = await prepareAtPlatform(ctx, claimed)
  // The publisher found the files missing, or would not learn about the post otherwise.
  if (isNext && isConverted && waitsForConversion(ctx, post)) await enqueuePublish(ctx, post)
}

const prepareGroup = async (ctx: Context, workspaceId: string, groupId: string) => {
  const key = allOf(equal('PK', posts.key({ workspaceId, id: groupId }).PK), begins('SK', groupId))
  const group = (await queryAll(ctx, { key })).map(posts.parse)
  const due = group.filter((post) => post.status === 'scheduled' && canDelay(post, ctx.clock.now()))
  const [first, ...rest] = due
  if (first && rest.length === 0) return prepareOne(ctx, first)
  const awake = due.filter((post) => !awaitsTurn(post) && post.pendingImports === undefined)
  const unsent = awake.filter((post) => !post.publishQueued && !waitsForConversion(ctx, post))
  await Promise.all(unsent.map((post) => enqueuePublish(ctx, post)))
  const working = due.filter(needsPreparing)
  await Promise.all(working.map((post) => send(ctx, 'prepare', { body: prepareMessage(post), group: workspaceId })))
  await Promise.all(awake.filter(isSweptEarly).map((post) => recordQueued(ctx, post)))
}

/** Prepares posts before their time: the publisher's message is delayed in its queue, media uploaded, and tokens refreshed. */
export const preparePosts = async (given: Context, message: PrepareMessage): Promise<void> => {
  if ('groupId' in message) return prepareGroup(given, message.workspaceId, message.groupId)
  const post = await posts.get(given, { workspaceId: message.workspaceId, id: message.postId })
  if (post?.status !== 'scheduled') return
  const ctx = await correlate(given, post)
  // The attempt of an earlier version is reconciled first, while there is time.
  if (post.attempt !== undefined)
    await send(ctx, publishQueue(post), { body: publishMessage(post), group: post.workspaceId })
  else await prepareOne(ctx, post)
}

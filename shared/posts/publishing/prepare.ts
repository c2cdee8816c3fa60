import { isGone } from '../../aws/bucket.ts'
import { send, sendAll } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, anyOf, atMost, begins, type Change, equal } from '../../db/expression.ts'
import { batchGet, ConditionFailed, queryAll, update } from '../../db/table.ts'
import type { Prepared } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, socialAccounts } from '../../social-accounts/social-account.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { canDelay, hold, publishMessage, publishQueue } from '../dispatch/enqueue.ts'
import type { PrepareMessage } from '../dispatch/messages.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { awaitsTurn } from '../thread.ts'
import { openCall } from './open-call.ts'

const leaseMs = 60_000
/** A held post is looked at again this long after its time. */
const afterMs = 30_000

/** The change of a post nobody has moved on; false where somebody has. */
const changed = async (ctx: Context, post: Post, change: Change, lease = false): Promise<boolean> => {
  const now = ctx.clock.now()
  const still = [equal('status', 'scheduled'), equal('version', post.version), absent('maybeLanded')]
  const free = anyOf(absent('prepareLeaseUntilMs'), atMost('prepareLeaseUntilMs', now))
  try {
    await update(ctx, posts.key(post), change, allOf(...still, ...(lease ? [free] : [])))
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

const held = (post: Post) => ({ held: true, sweepAtMs: post.scheduledAtMs + afterMs, sweepCount: 0 })

const again = (post: Post): PrepareMessage => ({
  workspaceId: post.workspaceId,
  postId: post.id,
  version: post.version,
})

/** Keeps what was prepared; the first writer wins, for this version only (pipeline rule 7). */
const keep = async (ctx: Context, post: Post, done: Prepared) => {
  const { version } = post
  const remove = ['prepareLeaseUntilMs']
  if ('ready' in done) {
    const prepared = { version, ref: done.ready, expiresAtMs: done.expiresAtMs }
    await changed(ctx, post, { set: { prepared }, remove: [...remove, 'resume'] })
    return
  }
  const kept = await changed(ctx, post, { set: { resume: { version, ref: done.resume } }, remove })
  const message = { body: again(post), group: post.workspaceId, delaySeconds: done.waitSeconds }
  if (kept) await send(ctx, 'prepare', message)
}

/** Media takes time; a text is prepared by the publisher, who has it five seconds before its time. */
const needsPreparing = (post: Post) =>
  post.media.length > 0 && adapterOf(post.platform).prepare !== undefined && post.prepared?.version !== post.version

/** Prepares one post at its platform. What fails here is tried again by the publisher, who also tells the author. */
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
    const resume = post.resume?.version === post.version ? post.resume.ref : undefined
    await keep(ctx, post, await prepare(call, resume))
  } catch (error) {
    if (!(error instanceof PlatformError) && !isGone(error)) throw error
    const reason = error instanceof PlatformError ? error.message : 'a file is gone'
    ctx.log.warn('preparation failed', { postId: post.id, platform: post.platform, reason })
  }
}

/** A tweet whose turn has not come has its media uploaded like the others, and waits. */
const prepareAhead = async (ctx: Context, post: Post, now: number) => {
  if (!needsPreparing(post)) return
  const set = { prepareLeaseUntilMs: now + leaseMs }
  if (await changed(ctx, post, { set }, true)) await prepareAtPlatform(ctx, post)
}

/** Sends the hold first, so that the post goes out whatever becomes of its preparation. */
const prepareOne = async (ctx: Context, post: Post) => {
  const now = ctx.clock.now()
  if (!canDelay(post, now)) return
  if (!post.held) await hold(ctx, post)
  if (awaitsTurn(post)) return prepareAhead(ctx, post, now)
  const work = needsPreparing(post)
  const lease = work ? { prepareLeaseUntilMs: now + leaseMs } : {}
  if ((await changed(ctx, post, { set: { ...held(post), ...lease } }, work)) && work) await prepareAtPlatform(ctx, post)
}

const prepareGroup = async (ctx: Context, workspaceId: string, groupId: string) => {
  const key = allOf(equal('PK', posts.key({ workspaceId, id: groupId }).PK), begins('SK', groupId))
  const group = (await queryAll(ctx, { key })).map(posts.parse)
  // A rescheduled post has a message of its own.
  const due = group.filter(
    (post) => post.status === 'scheduled' && post.version === 1 && canDelay(post, ctx.clock.now()),
  )
  const [first, ...rest] = due
  if (first && rest.length === 0) return prepareOne(ctx, first)
  const awake = due.filter((post) => !awaitsTurn(post))
  for (const post of awake) if (!post.held) await hold(ctx, post)
  const working = due.filter(needsPreparing)
  await sendAll(
    ctx,
    'prepare',
    working.map((post) => ({ body: again(post), group: workspaceId })),
  )
  await Promise.all(awake.map((post) => changed(ctx, post, { set: held(post) })))
}

/** Makes posts ready a little before their time: the publisher's message held back, media and tokens in place. */
export const preparePosts = async (ctx: Context, message: PrepareMessage): Promise<void> => {
  if ('groupId' in message) return prepareGroup(ctx, message.workspaceId, message.groupId)
  const post = await posts.get(ctx, { workspaceId: message.workspaceId, id: message.postId })
  if (post?.status !== 'scheduled' || post.version !== message.version) return
  // What an older version left unsettled is settled first, while there is time for that.
  if (post.maybeLanded) await send(ctx, publishQueue(post), { body: publishMessage(post), group: post.workspaceId })
  else await prepareOne(ctx, post)
}

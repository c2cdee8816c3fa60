import { isGone } from '../../aws/bucket.ts'
import { send } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import type { Claimed } from '../../db/lease.ts'
import { type BatchRows, batchGet } from '../../db/table.ts'
import type { FailureReason } from '../../events/failure-reasons.ts'
import { correlate } from '../../events/outbox.ts'
import { cleanedFile } from '../../media/cleaned-file.ts'
import { NotConverted } from '../../media/conversion-error.ts'
import { convertedImage } from '../../media/converted-image.ts'
import { remuxedVideo } from '../../media/remuxed-video.ts'
import { pausesIn, pausesKey } from '../../pauses/pauses.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../../platforms/adapter.ts'
import { adapterOf, clientKeyOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { retryAfterRefresh } from '../../social-accounts/refresh-credentials.ts'
import { isUsable, socialAccounts } from '../../social-accounts/social-account.ts'
import { hourMs } from '../../time.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { canDelay, delayedPublish } from '../dispatch/enqueue.ts'
import { finishImports } from '../imports/finish.ts'
import { type Post, posts } from '../lifecycle/row.ts'
import { claimable, journaledAttempt, stateOf } from '../lifecycle/state.ts'
import { type PublishMessage, prepareMessage, publicationWork, publishQueue } from '../lifecycle/work.ts'
import { claimToFail, claimToPublish, retried, waitForMedia } from '../lifecycle/writes.ts'
import { readTexts } from '../texts.ts'
import { endPublication } from './finish.ts'
import { openCall, resumeOf } from './open-call.ts'
import { failed, published, resolveError } from './outcome.ts'
import type { Endable, Publication } from './publication.ts'
import { reconcile } from './reconcile.ts'
import { tooLateMs } from './release.ts'

/** A message may be this early; a much earlier one is returned to the queue. */
const earlyMs = 20_000
/** Clocks of hosts differ: a message may arrive this much before the end of a wait; the worker waits for the rest. */
const skewMs = 2_000
/** How long after the post's time a platform may process media, and the preparing worker convert files. */
const longestProcessingMs = hourMs
const longestConversionMs = hourMs
/** The claim is made this long before the post's time, so that the call itself starts on time. */
const claimLeadMs = 200

const rowsOf = (rows: BatchRows, message: PublishMessage) => ({
  post: posts.from(rows, { workspaceId: message.workspaceId, id: message.postId }),
  account: socialAccounts.from(rows, { workspaceId: message.workspaceId, id: message.socialAccountId }),
  workspace: workspaces.from(rows, { id: message.workspaceId }),
})

/** The rows that are read again at the moment of the call. */
const lastLook = (message: Pick<PublishMessage, 'workspaceId' | 'socialAccountId'>) => [
  socialAccounts.key({ workspaceId: message.workspaceId, id: message.socialAccountId }),
  workspaces.key({ id: message.workspaceId }),
  pausesKey,
]

/** Sleeps until a given time; timers may wake early. */
const until = async (ctx: Context, momentMs: number) => {
  for (let left = momentMs - ctx.clock.now(); left > 0; left = momentMs - ctx.clock.now()) await ctx.clock.sleep(left)
}

/** The preparation of this version, or one that can be made now. */
const preparedNow = async (ctx: Context, post: Post, call: PlatformCall): Promise<Prepared> => {
  const { preparation } = post
  const isReady = preparation !== undefined && 'ready' in preparation
  if (isReady && preparation.expiresAtMs > ctx.clock.now() + 60_000) return preparation
  const { prepare } = adapterOf(post.platform)
  if (!prepare) return { ready: {}, expiresAtMs: Number.MAX_SAFE_INTEGER }
  return prepare(call, resumeOf(post))
}

/** Everything before the post's time: text, credentials, media, and the request. */
const getReady = async (ctx: Context, publication: Publication, refresh: boolean) => {
  const call = await openCall(ctx, publication.workspace, publication.account, publication.post, {
    refresh,
    convert: { clean: cleanedFile, image: convertedImage, video: remuxedVideo },
  })
  const done = await preparedNow(ctx, publication.post, call)
  if ('resume' in done) return done
  const { ready: ref, expiresAtMs } = done
  const platform = adapterOf(publication.post.platform)
  const built = await platform.build?.(call, ref)
  return { call, ref, expiresAtMs, built, makeKey: clientKeyOf(platform, call.post) }
}

type Waiting = Extract<Prepared, { resume: PreparedRef }>
type Ready = Exclude<Awaited<ReturnType<typeof getReady>>, Waiting>

/** Makes the publishing call, after it has reported when that begins; once more if the platform asked for new credentials. */
const commitOnce = (
  ctx: Context,
  { publication, ready, clientKey }: { publication: Publication; ready: Ready; clientKey: string },
  begins: (calledAtMs: number) => void,
) =>
  retryAfterRefresh(publication.post.platform, async (refresh) => {
    const call = refresh
      ? await openCall(ctx, publication.workspace, publication.account, publication.post, { refresh })
      : ready.call
    // The post with its files as they were prepared.
    const sent = { ...call, post: ready.call.post }
    begins(ctx.clock.now())
    return adapterOf(publication.post.platform).commit(sent, ready.ref, clientKey, ready.built)
  })

/** The author deleted the file although the post needs it. */
const fileGone = new PlatformError('invalid', 'A file of the post was deleted. Reschedule the post with other media.')
const notConnected = 'The account is disconnected. Reconnect it, then reschedule the post.'
const gone = new PlatformError('auth', notConnected)
/**
 * The account is disconnected, so the call is skipped. If the account is reconnected when the post is due, the post is
 * tried again.
 */
const notReady = new PlatformError('transient', notConnected)

const makeReady = async (
  ctx: Context,
  publication: Publication,
): Promise<Ready | Waiting | NotConverted | PlatformError> => {
  if (!isUsable(publication.account)) return notReady
  try {
    return await retryAfterRefresh(publication.post.platform, (refresh) => getReady(ctx, publication, refresh))
  } catch (error) {
    if (error instanceof PlatformError || error instanceof NotConverted) return error
    if (isGone(error)) return fileGone
    throw error
  }
}

const notConverted = new PlatformError('transient', 'The files of the post were not converted in time.')
const stillProcessing = new PlatformError('transient', 'The platform is still processing the media.')

/** Resumes later with media that the platform still processes. */
const resumeLater = async (ctx: Context, post: Post, waiting: Waiting) => {
  if (await waitForMedia(ctx, post, waiting)) await publicationWork.enqueue(ctx, post, waiting.waitSeconds)
}

/** Releases a claimed post whose call is not made, because of a pause. The sweeper sends the post when the pause is over. */
const releaseUnsent = async (ctx: Context, claimed: Claimed<Post>): Promise<void> => {
  const { failedAttempts, presumedLostAtMs } = claimed
  await publicationWork.release(ctx, claimed, ctx.clock.now(), retried({ failedAttempts, presumedLostAtMs }))
}

/**
 * At the post's time: claim and journal in one write, with a last check of account, workspace, and pauses; then the one call.
 */
const fire = async (ctx: Context, publication: Publication, ready: Ready | PlatformError) => {
  const { scheduledAtMs, dueAtMs = 0 } = publication.post
  await until(ctx, Math.max(scheduledAtMs - claimLeadMs, dueAtMs))
  const [claimed, fresh] = await Promise.all([
    ready instanceof PlatformError ? claimToFail(ctx, publication.post) : claimToPublish(ctx, publication.post, ready),
    batchGet(ctx, lastLook(publication.post)),
  ])
  if (!claimed) return
  if (pausesIn(ctx, fresh)(claimed)) return releaseUnsent(ctx, claimed)
  const account = socialAccounts.from(fresh, { workspaceId: publication.workspace.id, id: publication.account.id })
  const owned: Publication = { ...publication, post: claimed, account: account ?? publication.account }
  const isThere = workspaces.from(fresh, { id: publication.workspace.id }) !== undefined
  if (!account || !isUsable(account) || !isThere) {
    return void (await failed(ctx, owned, gone, 'account_disconnected'))
  }
  if (ready instanceof PlatformError) return resolveError(ctx, owned, ready)
  await until(ctx, publication.post.scheduledAtMs)
  const attempt = journaledAttempt(claimed)
  let called = owned
  const live = await commitOnce(ctx, { publication: owned, ready, clientKey: attempt.clientKey }, (calledAtMs) => {
    called = { ...owned, post: { ...claimed, attempt: { ...attempt, calledAtMs } } }
  }).catch((error: unknown) => resolveError(ctx, called, error))
  if (live) await published(ctx, called, live)
}

/** Ends an unclaimed post without a call. */
const failUnclaimed = (ctx: Context, publication: Endable, error: string, reason: FailureReason) =>
  endPublication(ctx, publication, {
    ending: { by: 'fail', error, reason, retrySafe: publication.post.earlierMayBeLive !== true },
    when: claimable(publication.post, ctx.clock.now()),
    attempt: { state: 'rejected' },
  })

/** How long after its time a post waits for files that are being fetched; their tries end before (media/imports/run.ts). */
const longestImportMs = hourMs

/**
 * Whether the files of a post are fetched and fit its platform. A post that still waits for them restarts when its imports
 * end. Decided: a post whose import has failed fails at its time and not before, so that its author can send other files.
 */
const hasFiles = async (ctx: Context, publication: Publication): Promise<boolean> => {
  const { post } = publication
  if (post.pendingImports === undefined && post.mediaError === undefined) return true
  const isLate = ctx.clock.now() - post.scheduledAtMs > longestImportMs
  if (post.pendingImports !== undefined && !isLate) return false
  await until(ctx, post.scheduledAtMs)
  const why = post.mediaError ?? 'A file could not be fetched in time.'
  await failUnclaimed(ctx, publication, `Not sent. ${why}`, 'media_import_failed')
  return false
}

/** Publishes one post at its time. The row decides: a stale, duplicate, or early message changes nothing. */
export const publishPost = async (given: Context, message: PublishMessage): Promise<void> => {
  const postKey = posts.key({ workspaceId: message.workspaceId, id: message.postId })
  const read = await batchGet(given, [postKey, ...lastLook(message)])
  const { post, account, workspace } = rowsOf(read, message)
  const now = given.clock.now()
  if (!post || !workspace || post.version !== message.version || pausesIn(given, read)(post)) return
  const ctx = await correlate(given, post)
  const { kind } = stateOf(post, now)
  const isUnconfirmed = kind === 'unconfirmed' || kind === 'earlier-unconfirmed'
  if (!(isUnconfirmed || kind === 'scheduled') || (post.dueAtMs ?? 0) - skewMs > now) return
  if (kind === 'scheduled' && post.scheduledAtMs - now > earlyMs) {
    if (canDelay(post, now)) await send(ctx, publishQueue(post), delayedPublish(post, now))
    return
  }
  const textOf = await readTexts(ctx, [post])
  const endable = { workspace, post, text: textOf(post) }
  if (isUnconfirmed) {
    await until(ctx, post.dueAtMs ?? 0)
    return reconcile(ctx, endable, account)
  }
  if (now - post.scheduledAtMs > tooLateMs) {
    return void (await failUnclaimed(ctx, endable, 'Not sent: more than 24 hours late. Reschedule it.', 'too_late'))
  }
  if (!account) return void (await failUnclaimed(ctx, endable, 'The account was removed.', 'account_removed'))
  const current = await finishImports(ctx, post)
  if (current === undefined) return
  const publication = { ...endable, post: current, account }
  if (!(await hasFiles(ctx, publication))) return
  const ready = await makeReady(ctx, publication)
  if (ready instanceof NotConverted) {
    if (now - post.scheduledAtMs > longestConversionMs) return fire(ctx, publication, notConverted)
    // If this message is lost, the sweeper sends the publisher's own again.
    return send(ctx, 'prepare', { body: prepareMessage(post), group: post.workspaceId })
  }
  if (!('resume' in ready)) return fire(ctx, publication, ready)
  if (now - (post.mediaPendingSinceMs ?? now) > longestProcessingMs) return fire(ctx, publication, stillProcessing)
  await resumeLater(ctx, post, ready)
}

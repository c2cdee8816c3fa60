import { commitWithEvents } from '../../commit/commit-with-events.ts'
import type { Context } from '../../context.ts'
import type { FailureReason } from '../../events/failure-reasons.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { callOperator } from '../../platforms/call-operator.ts'
import { endsConnection, isMadeAnew, PlatformError } from '../../platforms/platform-error.ts'
import type { PublishedPost } from '../../platforms/post.ts'
import { requireReconnect } from '../../social-accounts/require-reconnect.ts'
import { hourMs, minuteMs } from '../../time.ts'
import { publicationWork } from '../lifecycle/work.ts'
import { reconcilingFrom, retried } from '../lifecycle/writes.ts'
import { endPublication } from './finish.ts'
import { openProbe, publishedBefore } from './probe.ts'
import type { Endable, Publication } from './publication.ts'
import { isInTime, type NextTry, nextTry, release, tooLateMs, waitBeforeLookUp } from './release.ts'

const longestRateWaitSeconds = 6 * 3600

export const infoOf = ({ errorClass, message, info }: PlatformError) => ({ errorClass, message, info })

export const published = (ctx: Context, publication: Endable, live: PublishedPost): Promise<boolean> =>
  endPublication(ctx, publication, {
    ending: { by: 'publish', url: live.url, platformId: live.id },
    when: publicationWork.ownsLease(publication.post),
    attempt: { state: 'confirmed', platformId: live.id, warning: live.warning },
  })

/** Ends a claimed post as failed: no part of this version is live. */
export const failed = (
  ctx: Context,
  publication: Endable,
  error: PlatformError,
  reason: FailureReason,
): Promise<boolean> =>
  endPublication(ctx, publication, {
    ending: { by: 'fail', error: error.message, reason, retrySafe: publication.post.earlierMayBeLive !== true },
    when: publicationWork.ownsLease(publication.post),
    attempt: { state: 'rejected', ...infoOf(error) },
  })

const unknown = 'Outcome unknown: check the account before posting again.'
const unknownAfterRestore =
  'Outcome unknown: the service was restored from a backup, and the platform does not show whether the post went out. Check the account, then reschedule the post or delete it.'

/** Decided: an outcome that cannot be determined is a failure that must not be repeated blindly. */
export const outcomeUnknown = (ctx: Context, publication: Endable): Promise<boolean> =>
  endPublication(ctx, publication, {
    ending: {
      by: 'giveUp',
      error: publication.post.attempt?.restoredAtMs === undefined ? unknown : unknownAfterRestore,
      reason: 'outcome_unknown',
      retrySafe: false,
    },
    when: publicationWork.ownsLease(publication.post),
    attempt: { state: 'unknown' },
  })

const again = (
  ctx: Context,
  { post }: Publication,
  { waitSeconds, error, failures }: NextTry & { error: PlatformError },
) => {
  const failedAttempts = post.failedAttempts + failures
  const clears = { preparationGone: isMadeAnew(error, failedAttempts), keyTaken: error.info.keyTaken === true }
  return release(ctx, post, {
    waitSeconds,
    change: retried({ failedAttempts }, clears),
    attempt: { state: 'retried', ...infoOf(error) },
  })
}

const wait = async (ctx: Context, publication: Publication, error: PlatformError) => {
  const seconds = error.info.retryAfterSeconds ?? 60
  const bound = error.errorClass === 'rate' ? longestRateWaitSeconds : tooLateMs / 1000
  if (seconds > bound || !isInTime(ctx, publication.post, seconds)) {
    await failed(ctx, publication, error, error.errorClass === 'rate' ? 'rate_limited' : 'quota_reached')
  } else await again(ctx, publication, { waitSeconds: seconds + Math.random(), error, failures: 0 })
}

/** The reason of a failure; an ended API takes precedence over the class of the error. */
const reasonOf = ({ info }: PlatformError, usual: FailureReason): FailureReason =>
  info.apiEnded ? 'platform_api_ended' : usual

/** Ends a post whose tries or time are used up, and reports how long it was tried. */
export const endTries = (
  ctx: Context,
  publication: Publication,
  { errorClass, message, info }: PlatformError,
  reason: FailureReason,
): Promise<boolean> => {
  const lateMs = ctx.clock.now() - publication.post.scheduledAtMs
  const late = lateMs < 2 * hourMs ? `${Math.round(lateMs / minuteMs)} minutes` : `${Math.round(lateMs / hourMs)} hours`
  const text = `${message}${/[.!?…]$/.test(message) ? '' : '.'} Tried until ${late} after its time.`
  return failed(ctx, publication, new PlatformError(errorClass, text, info), reason)
}

const retry = async (
  ctx: Context,
  publication: Publication,
  error: PlatformError,
  reason: FailureReason = 'platform_unavailable',
) => {
  const { post } = publication
  const next = nextTry(post.failedAttempts, error)
  if (next && isInTime(ctx, post, next.waitSeconds)) await again(ctx, publication, { ...next, error })
  else await endTries(ctx, publication, error, reasonOf(error, reason))
}

const disconnect = async (ctx: Context, publication: Publication, error: PlatformError) => {
  const reason = error.errorClass === 'auth' ? 'account_disconnected' : 'permission_missing'
  if (error.info.operator) return retry(ctx, publication, error, reason)
  if (endsConnection(error))
    await requireReconnect(ctx, publication.workspace, publication.account, { error, commit: commitWithEvents })
  await failed(ctx, publication, error, reason)
}

/** The attempt stays journaled; a message returns the post to be reconciled. */
const reconcileLater = (ctx: Context, { post }: Publication, error: PlatformError) => {
  return release(ctx, post, {
    waitSeconds: waitBeforeLookUp(adapterOf(post.platform)),
    change: reconcilingFrom(ctx.clock.now(), error.info.ref),
    attempt: { state: 'unknown', ...infoOf(error) },
  })
}

const refusedAsRepeat = async (ctx: Context, publication: Publication, error: PlatformError): Promise<void> => {
  const { post: row } = publication
  const open = () => openProbe(ctx, publication)
  const first = await publishedBefore(ctx, { calls: adapterOf(row.platform), row, open }, error)
  if (first) await published(ctx, publication, first)
  else await failed(ctx, publication, error, 'duplicate_content')
}

/** What follows a failed call, by the class of its error. */
export const resolveError = async (ctx: Context, publication: Publication, thrown: unknown): Promise<void> => {
  const error =
    thrown instanceof PlatformError
      ? thrown
      : new PlatformError('unknown', 'The platform did not return a clear response.')
  if (!(thrown instanceof PlatformError)) {
    const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    ctx.log.error('adapter failed', { postId: publication.post.id, platform: publication.post.platform, reason })
  }
  callOperator(ctx, error, { platform: publication.post.platform })
  switch (error.errorClass) {
    case 'auth':
    case 'permission':
      return disconnect(ctx, publication, error)
    case 'rate':
    case 'quota':
      return wait(ctx, publication, error)
    case 'transient':
      return retry(ctx, publication, error)
    case 'unknown':
      // Without an attempt, nothing can be live: the preparation of the post failed.
      return publication.post.attempt === undefined
        ? retry(ctx, publication, error)
        : reconcileLater(ctx, publication, error)
    case 'blocked':
      return void (await failed(ctx, publication, error, reasonOf(error, 'blocked')))
    case 'duplicate':
      return refusedAsRepeat(ctx, publication, error)
    default:
      await failed(ctx, publication, error, 'rejected')
  }
}

import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { minuteMs } from '../../time.ts'
import type { Post } from '../lifecycle/row.ts'
import { reconciledAttempt } from '../lifecycle/state.ts'
import { claimToReconcile, reconcilingStill, retried } from '../lifecycle/writes.ts'
import { endTries, infoOf, outcomeUnknown, published, resolveError } from './outcome.ts'
import {
  attemptOf,
  openProbe,
  probeOnce,
  probeRestored,
  repeatOnce,
  waitAfterAbsence,
  waitAfterUnclear,
} from './probe.ts'
import type { Endable, Publication } from './publication.ts'
import { isInTime, nextTry, release } from './release.ts'

/**
 * How many claims can crash before the post is not sent again; after twice as many, the reconciliation also ends (pipeline
 * rule 3, shared/README.md).
 */
const maxCrashedAttempts = 5

/** As early as the schedule of a post with files (posts/dispatch/schedule.ts). */
const prepareLeadMs = 10 * minuteMs

const mayNotSend = ({ post }: Endable) => post.crashedAttempts >= maxCrashedAttempts

const notThere = new PlatformError(
  'transient',
  'The platform did not return a clear response and does not have the post.',
  { outage: true },
)

/** The same call again, for the version that it was made for. */
const repeat = (publication: Publication, call: PlatformCall): Promise<ProbeResult | undefined> | undefined => {
  const { post } = publication
  if (reconciledAttempt(post).version !== post.version) return undefined
  return repeatOnce(adapterOf(post.platform), call, attemptOf(post))
}

const probeLater = (
  ctx: Context,
  { post }: Publication,
  { waitSeconds, negativeProbes }: { waitSeconds: number; negativeProbes: number },
) =>
  release(ctx, post, {
    waitSeconds,
    change: reconcilingStill(post, negativeProbes),
    attempt: { state: 'unknown' },
  })

/** The post can be sent again, unless its claims crashed or its time is over. */
const retryAfterAbsence = async (
  ctx: Context,
  publication: Publication,
  { earlierMayBeLive }: Pick<Post, 'earlierMayBeLive'>,
) => {
  const { post } = publication
  const attempt = reconciledAttempt(post)
  if (mayNotSend(publication)) return void (await outcomeUnknown(ctx, publication))
  const next =
    attempt.version === post.version ? nextTry(post.failedAttempts, notThere) : { waitSeconds: 0, failures: 0 }
  const failedAttempts = post.failedAttempts + (next?.failures ?? 0)
  // A single lost call says nothing about its platform, and its post is late.
  const retryWaitSeconds = post.failedAttempts === 0 ? 0 : next?.waitSeconds
  if (retryWaitSeconds === undefined || !isInTime(ctx, post, retryWaitSeconds))
    return void (await endTries(ctx, publication, notThere, 'platform_unavailable'))
  // A preparation that the platform did not publish, although it did not reject it, is created again. If the key identifies
  // a repeat, it stays.
  const preparationGone = adapterOf(post.platform).reconcileMethod !== 'key' && failedAttempts >= 2
  // A listing is searched back to the first of these attempts, in case absence was reported too early.
  const presumedLostAtMs = post.presumedLostAtMs ?? attempt.startedAtMs
  await release(ctx, post, {
    // A post that is due later is prepared in time, as if its schedule fired then.
    waitSeconds: Math.max(retryWaitSeconds, (post.scheduledAtMs - prepareLeadMs - ctx.clock.now()) / 1000),
    change: retried({ failedAttempts, presumedLostAtMs, earlierMayBeLive }, { preparationGone }),
    attempt: { state: 'retried', ...infoOf(notThere) },
  })
}

const absent = async (ctx: Context, publication: Publication) => {
  const { post } = publication
  const later = waitAfterAbsence(adapterOf(post.platform), reconciledAttempt(post), ctx.clock.now())
  if (later) await probeLater(ctx, publication, later)
  else await retryAfterAbsence(ctx, publication, post)
}

const unclear = async (ctx: Context, publication: Publication) => {
  const later = waitAfterUnclear(reconciledAttempt(publication.post), ctx.clock.now())
  if (later) await probeLater(ctx, publication, later)
  else await outcomeUnknown(ctx, publication)
}

/**
 * The outcome can never be determined. The user's reschedule, after they were told this, is the consent (pipeline rule 3,
 * shared/README.md).
 */
const unprovable = async (ctx: Context, publication: Publication) => {
  const { post } = publication
  if (post.version > reconciledAttempt(post).version)
    await retryAfterAbsence(ctx, publication, { earlierMayBeLive: true })
  else await outcomeUnknown(ctx, publication)
}

const lookUp = (post: Post, call: PlatformCall): Promise<ProbeResult> =>
  reconciledAttempt(post).restoredAtMs === undefined
    ? probeOnce(post.platform, call, attemptOf(post))
    : probeRestored(adapterOf(post.platform), call, post)

/** Reconciles an attempt that may be live, with the key of that attempt. Sends again only if its absence is proven. */
export const reconcile = async (
  ctx: Context,
  publication: Endable,
  account: SocialAccount | undefined,
): Promise<void> => {
  const claimed = await claimToReconcile(ctx, publication.post)
  if (!claimed) return
  const { witness } = reconciledAttempt(claimed)
  if (witness !== undefined) return void (await published(ctx, { ...publication, post: claimed }, witness))
  const isHopeless = claimed.crashedAttempts >= 2 * maxCrashedAttempts
  // A disconnected account has no credentials to ask with.
  if (!account?.isConnected || isHopeless) return void (await outcomeUnknown(ctx, { ...publication, post: claimed }))
  const owned: Publication = { ...publication, account, post: claimed }
  const call = await openProbe(ctx, owned)
  if (!call) return unclear(ctx, owned)
  const repeated = isUsable(account) && !mayNotSend(owned) ? await repeat(owned, call) : undefined
  const result = repeated ?? (await lookUp(owned.post, call))
  if (result.kind === 'published') await published(ctx, owned, result)
  else if (result.kind === 'rejected') await resolveError(ctx, owned, result.error)
  else if (result.kind === 'absent') await absent(ctx, owned)
  else if (result.kind === 'unprovable') await unprovable(ctx, owned)
  else await unclear(ctx, owned)
}

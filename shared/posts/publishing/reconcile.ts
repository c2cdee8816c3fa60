import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { hourMs } from '../../time.ts'
import type { Post } from '../lifecycle/row.ts'
import { reconciledAttempt } from '../lifecycle/state.ts'
import { claimToReconcile, reconcilingStill, retried } from '../lifecycle/writes.ts'
import { failed, outcomeUnknown, published, resolveError } from './outcome.ts'
import { attemptOf, openProbe, probeOnce, probeRestored } from './probe.ts'
import type { Endable, Publication } from './publication.ts'
import { release, retryWaitsSeconds } from './release.ts'

/** After this long without a response, the outcome counts as unknown (pipeline rule 12, shared/README.md). */
const giveUpMs = 6 * hourMs
const betweenProbesSeconds = 60
/** How many probes must miss the post if a platform's reads lag behind its writes. */
const negativesNeeded = 2
/**
 * How many claims can crash before the post is not sent again; after twice as many, the reconciliation ends too
 * (pipeline rule 3, shared/README.md).
 */
const maxCrashedAttempts = 5

const mayNotSend = ({ post }: Endable) => post.crashedAttempts >= maxCrashedAttempts

const refusedAlways = new PlatformError(
  'transient',
  'The platform did not return a clear response and does not have the post.',
)

/**
 * Repeats the identical call if it cannot make a second post: the platform returns the first post, or rejects the
 * repeat and names it. It is still the same attempt, so it keeps its start time, from which the platform's retention of
 * the key counts. Any other response proves nothing about the first call.
 */
const repeat = async (ctx: Context, publication: Publication, call: PlatformCall): Promise<ProbeResult | undefined> => {
  const platform = adapterOf(publication.post.platform)
  const attempt = attemptOf(publication.post)
  const ageMs = ctx.clock.now() - attempt.startedAtMs
  const isHarmless = ageMs < (platform.repeatableSeconds ?? 0) * 1000
  const { version, restoredAtMs } = reconciledAttempt(publication.post)
  if (!isHarmless || restoredAtMs !== undefined || version !== publication.post.version) return undefined
  try {
    const built = await platform.build?.(call, attempt.ref)
    return { kind: 'published', ...(await platform.commit(call, attempt.ref, attempt.clientKey, built)) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { original } = error.info
    return error.errorClass === 'duplicate' && original ? { kind: 'published', ...original } : undefined
  }
}

const probeLater = (ctx: Context, { post }: Publication, waitSeconds: number, negativeProbes: number) =>
  release(ctx, post, {
    waitSeconds,
    change: reconcilingStill(post, negativeProbes),
    attempt: { state: 'unknown' },
  })

/** The post can be sent again, unless its claims crashed or its attempts failed too often. */
const retryAfterAbsence = async (
  ctx: Context,
  publication: Publication,
  { earlierMayBeLive }: Pick<Post, 'earlierMayBeLive'>,
) => {
  const { post } = publication
  const attempt = reconciledAttempt(post)
  const failedAttempts = post.failedAttempts + (attempt.version === post.version ? 1 : 0)
  if (mayNotSend(publication)) return void (await outcomeUnknown(ctx, publication))
  if (failedAttempts > retryWaitsSeconds.length) {
    return void (await failed(ctx, publication, refusedAlways, 'platform_unavailable'))
  }
  // A listing is searched back to the first of these attempts, in case absence was reported too early.
  const presumedLostAtMs = post.presumedLostAtMs ?? attempt.startedAtMs
  await release(ctx, post, {
    waitSeconds: 0,
    change: retried({ failedAttempts, presumedLostAtMs, earlierMayBeLive }),
    attempt: { state: 'retried', errorClass: refusedAlways.errorClass, message: refusedAlways.message },
  })
}

const absent = async (ctx: Context, publication: Publication) => {
  const { readLagSeconds } = adapterOf(publication.post.platform)
  const { startedAtMs, reconciliation } = reconciledAttempt(publication.post)
  const wait = Math.ceil((startedAtMs + readLagSeconds * 1000 - ctx.clock.now()) / 1000)
  const seen = reconciliation.negativeProbes + 1
  if (wait > 0) await probeLater(ctx, publication, wait, 0)
  else if (readLagSeconds > 0 && seen < negativesNeeded) await probeLater(ctx, publication, betweenProbesSeconds, seen)
  else await retryAfterAbsence(ctx, publication, publication.post)
}

const unclear = async (ctx: Context, publication: Publication) => {
  const { sinceMs, negativeProbes } = reconciledAttempt(publication.post).reconciliation
  if (ctx.clock.now() - sinceMs > giveUpMs) await outcomeUnknown(ctx, publication)
  else await probeLater(ctx, publication, betweenProbesSeconds, negativeProbes)
}

/**
 * The outcome can never be determined. The user's own reschedule, after they were told this, is the consent (pipeline
 * rule 3, shared/README.md).
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
    : probeRestored(call, post)

/** Reconciles an attempt that may be live, with its own key; sends again only if its absence is proven. */
export const reconcile = async (
  ctx: Context,
  publication: Endable,
  account: SocialAccount | undefined,
): Promise<void> => {
  const claimed = await claimToReconcile(ctx, publication.post)
  if (!claimed) return
  const isHopeless = claimed.crashedAttempts >= 2 * maxCrashedAttempts
  // A disconnected account has no credentials to ask with.
  if (!account?.isConnected || isHopeless) return void (await outcomeUnknown(ctx, { ...publication, post: claimed }))
  const owned: Publication = { ...publication, account, post: claimed }
  const call = await openProbe(ctx, owned)
  if (!call) return unclear(ctx, owned)
  const repeated = isUsable(account) && !mayNotSend(owned) ? await repeat(ctx, owned, call) : undefined
  const result = repeated ?? (await lookUp(owned.post, call))
  if (result.kind === 'published') await published(ctx, owned, result)
  else if (result.kind === 'rejected') await resolveError(ctx, owned, result.error)
  else if (result.kind === 'absent') await absent(ctx, owned)
  else if (result.kind === 'unprovable') await unprovable(ctx, owned)
  else await unclear(ctx, owned)
}

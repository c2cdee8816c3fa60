import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { isUsable, type SocialAccount } from '../../social-accounts/social-account.ts'
import { attemptFields, claimUnsettled } from '../lifecycle/claim.ts'
import { release, retryWaitsSeconds } from '../lifecycle/release.ts'
import { failed, outcomeUnknown, published, resolveError } from './outcome.ts'
import { attemptOf, openProbe, probeOnce } from './probe.ts'
import type { Endable, Publication } from './publication.ts'

/** After this long without an answer the outcome counts as unknown (pipeline rule 12). */
const giveUpMs = 6 * 3_600_000
const betweenProbesSeconds = 60
/** Absence must be seen twice where a platform's reads lag behind its writes. */
const negativesNeeded = 2
/** Claims that may die before nothing is sent any more; twice as many end the looking, too (pipeline rule 3). */
const maxDeadClaims = 5

const usedUp = ({ post }: Endable) => (post.deadClaims ?? 0) >= maxDeadClaims

const refusedAlways = new PlatformError('transient', 'The platform gave no clear answer, and has not got the post.')

/**
 * Sends the very same call again, where that makes no second post: the platform answers with the first one, or refuses
 * the repeat and names it. It is the same attempt still, so that `armedAtMs` stays, by which the platform's memory is
 * counted. Whatever else it answers tells nothing of the first call.
 */
const repeat = async (ctx: Context, of: Publication, call: PlatformCall): Promise<ProbeResult | undefined> => {
  const platform = adapterOf(of.post.platform)
  const attempt = attemptOf(of)
  const ageMs = ctx.clock.now() - attempt.startedAtMs
  const isHarmless = ageMs < (platform.repeatableSeconds ?? 0) * 1000
  if (!isHarmless || of.post.armedVersion !== of.post.version) return undefined
  try {
    const built = await platform.build?.(call, attempt.ref)
    return { kind: 'published', ...(await platform.commit(call, attempt.ref, attempt.clientKey, built)) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { original } = error.facts
    return error.errorClass === 'duplicate' && original ? { kind: 'published', ...original } : undefined
  }
}

const lookAgain = (ctx: Context, of: Publication, seconds: number, negativeProbes: number) =>
  release(ctx, of.post, seconds, { set: { negativeProbes } }, { state: 'unknown' })

/** Nothing landed: the post is free to be sent anew, unless its claims have died or its tries failed too often. */
const sendAnew = async (ctx: Context, of: Publication) => {
  const { post } = of
  const ofThisVersion = post.armedVersion === post.version
  const tries = (post.retries ?? 0) + (ofThisVersion ? 1 : 0)
  if (usedUp(of)) return void (await outcomeUnknown(ctx, of))
  if (tries > retryWaitsSeconds.length) return void (await failed(ctx, of, refusedAlways, 'platform_unavailable'))
  const remove = [...attemptFields, ...(ofThisVersion ? [] : ['clientKey'])]
  // A listing is read back to the first of these attempts, should absence have been told too early.
  const set = { retries: tries, doubtedAtMs: post.doubtedAtMs ?? post.armedAtMs }
  await release(ctx, post, 0, { set, remove }, { state: 'retried' })
}

const absent = async (ctx: Context, of: Publication) => {
  const { readLagSeconds } = adapterOf(of.post.platform)
  const settledAt = (of.post.armedAtMs ?? 0) + readLagSeconds * 1000
  const wait = Math.ceil((settledAt - ctx.clock.now()) / 1000)
  const seen = (of.post.negativeProbes ?? 0) + 1
  if (wait > 0) await lookAgain(ctx, of, wait, 0)
  else if (readLagSeconds > 0 && seen < negativesNeeded) await lookAgain(ctx, of, betweenProbesSeconds, seen)
  else await sendAnew(ctx, of)
}

const unclear = async (ctx: Context, of: Publication) => {
  const { post } = of
  if (ctx.clock.now() - (post.settleFromMs ?? 0) > giveUpMs) await outcomeUnknown(ctx, of)
  else await lookAgain(ctx, of, betweenProbesSeconds, post.negativeProbes ?? 0)
}

/** Nothing will ever tell. The user's own reschedule, after they were told so, is the consent (pipeline rule 3). */
const unprovable = async (ctx: Context, of: Publication) => {
  const { version, armedVersion = version } = of.post
  if (version > armedVersion) await sendAnew(ctx, of)
  else await outcomeUnknown(ctx, of)
}

/** Settles an attempt that may have landed, under its old key; sends again only when its absence is proven. */
export const settle = async (ctx: Context, of: Endable, account: SocialAccount | undefined): Promise<void> => {
  const claimed = await claimUnsettled(ctx, of.post)
  if (!claimed) return
  const deadly = (claimed.deadClaims ?? 0) >= 2 * maxDeadClaims
  if (!account || deadly) return void (await outcomeUnknown(ctx, { ...of, post: claimed }))
  const owned: Publication = { ...of, account, post: claimed }
  const call = await openProbe(ctx, owned)
  if (!call) return unclear(ctx, owned)
  const repeated = isUsable(account) && !usedUp(owned) ? await repeat(ctx, owned, call) : undefined
  const settled = repeated ?? (await probeOnce(owned, call, attemptOf(owned)))
  if (settled.kind === 'published') await published(ctx, owned, settled)
  else if (settled.kind === 'rejected') await resolveError(ctx, owned, settled.error)
  else if (settled.kind === 'absent') await absent(ctx, owned)
  else if (settled.kind === 'unprovable') await unprovable(ctx, owned)
  else await unclear(ctx, owned)
}

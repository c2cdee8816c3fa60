import type { Context } from '../../context.ts'
import type {
  PlatformCall,
  PreparedRef,
  ProbeResult,
  PublishingCalls,
  UnconfirmedAttempt,
} from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import type { PublishedPost } from '../../platforms/post.ts'
import type { PlatformId } from '../../resources.ts'
import { hourMs, minuteMs } from '../../time.ts'
import type { Post } from '../lifecycle/row.ts'
import { journaledAttempt, type ReconcilingAttempt } from '../lifecycle/state.ts'
import { openCall } from './open-call.ts'
import type { Publication } from './publication.ts'

/** A row with a journaled attempt: a post, or a first comment. */
type Journaled = Pick<Post, 'id' | 'attempt' | 'presumedLostAtMs'>

/** The attempt to reconcile, as journaled. */
export const attemptOf = (row: Journaled): UnconfirmedAttempt => {
  const { clientKey, ref, startedAtMs, restoredAtMs } = journaledAttempt(row)
  const { presumedLostAtMs } = row
  return {
    clientKey,
    ref,
    startedAtMs,
    ...(presumedLostAtMs === undefined ? {} : { firstStartedAtMs: presumedLostAtMs }),
    ...(restoredAtMs === undefined ? {} : { isRestored: true }),
  }
}

/** Queries the outcome of an attempt through the calls that made it. An error of the probe proves nothing. */
export const probeBy = async (
  calls: PublishingCalls,
  call: PlatformCall,
  attempt: UnconfirmedAttempt,
): Promise<ProbeResult> => {
  try {
    return await calls.probe(call, attempt)
  } catch (error) {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  }
}

/** Queries the platform for the outcome of an attempt to publish a post. */
export const probeOnce = (
  platform: PlatformId,
  call: PlatformCall,
  attempt: UnconfirmedAttempt,
): Promise<ProbeResult> => probeBy(adapterOf(platform), call, attempt)

/**
 * Repeats the identical call if it cannot create a second post: the platform returns the first post, or rejects the repeat
 * and names it. It is still the same attempt, so it keeps its start time, from which the platform's retention of the key
 * counts. Any other response proves nothing about the first call.
 */
export const repeatOnce = async (
  calls: PublishingCalls,
  call: PlatformCall,
  attempt: UnconfirmedAttempt,
): Promise<ProbeResult | undefined> => {
  const ageMs = call.ctx.clock.now() - attempt.startedAtMs
  const isHarmless = ageMs < (calls.repeatableSeconds ?? 0) * 1000
  if (!isHarmless || attempt.isRestored) return undefined
  try {
    const built = await calls.build?.(call, attempt.ref)
    return { kind: 'published', ...(await calls.commit(call, attempt.ref, attempt.clientKey, built)) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { original } = error.info
    return error.errorClass === 'duplicate' && original ? { kind: 'published', ...original } : undefined
  }
}

const betweenProbesSeconds = 60
/** How many probes must miss the post if a platform's reads lag behind its writes. */
const negativesNeeded = 2

/** When to look again after a probe that found nothing; undefined once the post is certainly absent. */
export const waitAfterAbsence = (
  { readLagSeconds }: PublishingCalls,
  { startedAtMs, reconciliation }: ReconcilingAttempt,
  nowMs: number,
): { waitSeconds: number; negativeProbes: number } | undefined => {
  const waitSeconds = Math.ceil((startedAtMs + readLagSeconds * 1000 - nowMs) / 1000)
  const negativeProbes = reconciliation.negativeProbes + 1
  if (waitSeconds > 0) return { waitSeconds, negativeProbes: 0 }
  const isProven = readLagSeconds === 0 || negativeProbes >= negativesNeeded
  return isProven ? undefined : { waitSeconds: betweenProbesSeconds, negativeProbes }
}

/** After this long without a response, the outcome counts as unknown (pipeline rule 12, shared/README.md). */
const giveUpMs = 6 * hourMs

/** When to look again after a probe that proved nothing; undefined once the outcome counts as unknown. */
export const waitAfterUnclear = ({ reconciliation }: ReconcilingAttempt, nowMs: number) =>
  nowMs - reconciliation.sinceMs > giveUpMs
    ? undefined
    : { waitSeconds: betweenProbesSeconds, negativeProbes: reconciliation.negativeProbes }

/** The preparation, or one that is made now to replace what the restore has lost; undefined if it takes longer. */
const preparedAgain = async (
  calls: PublishingCalls,
  call: PlatformCall,
  row: Journaled,
): Promise<PreparedRef | undefined> => {
  const { ref } = journaledAttempt(row)
  if (Object.keys(ref).length > 0) return ref
  const done = (await calls.prepare?.(call, undefined)) ?? { ready: {} }
  return 'ready' in done ? done.ready : undefined
}

/**
 * Looks for posts that may have been sent before the table was restored. If the platform does not find a post by its
 * content, its knowledge of one preparation proves nothing about another.
 */
export const probeRestored = async (
  calls: PublishingCalls,
  call: PlatformCall,
  row: Journaled,
): Promise<ProbeResult> => {
  const canFind = calls.findsByContent?.(call.post) === true
  const { ref: known, isRepeated } = journaledAttempt(row)
  if (isRepeated) return { kind: 'unprovable' }
  try {
    const ref = canFind ? await preparedAgain(calls, call, row) : known
    if (ref === undefined || (!canFind && Object.keys(ref).length === 0)) return { kind: 'unprovable' }
    const result = await probeBy(calls, call, { ...attemptOf(row), ref })
    return canFind || result.kind === 'published' || result.kind === 'unclear' ? result : { kind: 'unprovable' }
  } catch (error) {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  }
}

/**
 * A repeat that is rejected as a duplicate within this time after an attempt was presumed lost: the attempt was live after
 * all, although the platform cannot show it.
 */
const doubtMs = 15 * minuteMs

/**
 * What an earlier attempt has published, after a rejection as a duplicate: if the first tries were in doubt, the duplicate
 * on the platform is ours. Undefined if the author's text is a repeat.
 */
export const publishedBefore = async (
  { clock }: Context,
  { calls, row, open }: { calls: PublishingCalls; row: Journaled; open(): Promise<PlatformCall | undefined> },
  { info: { original } }: PlatformError,
): Promise<PublishedPost | undefined> => {
  const { presumedLostAtMs, attempt } = row
  if (presumedLostAtMs === undefined || attempt === undefined) return undefined
  if (original) return original
  const call = await open()
  const probed = call && (await probeBy(calls, call, attemptOf(row)))
  if (probed?.kind === 'published') return probed
  return clock.now() - presumedLostAtMs <= doubtMs ? { id: null, url: null } : undefined
}

/** Everything that a probe needs; undefined if the account's credentials are not available. */
export const openProbe = async (ctx: Context, publication: Publication): Promise<PlatformCall | undefined> => {
  try {
    return await openCall(ctx, publication.workspace, publication.account, publication.post)
  } catch (error) {
    if (error instanceof PlatformError) return undefined
    throw error
  }
}

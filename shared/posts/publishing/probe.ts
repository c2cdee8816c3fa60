import type { Context } from '../../context.ts'
import type { PlatformCall, PreparedRef, ProbeResult, UnconfirmedAttempt } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import type { PlatformId } from '../../resources.ts'
import type { Post } from '../lifecycle/row.ts'
import { journaledAttempt } from '../lifecycle/state.ts'
import { openCall } from './open-call.ts'
import type { Publication } from './publication.ts'

/** The attempt to reconcile, as it was journaled. */
export const attemptOf = (post: Post): UnconfirmedAttempt => {
  const { clientKey, ref, startedAtMs, restoredAtMs } = journaledAttempt(post)
  const { presumedLostAtMs } = post
  return {
    clientKey,
    ref,
    startedAtMs,
    ...(presumedLostAtMs === undefined ? {} : { firstStartedAtMs: presumedLostAtMs }),
    ...(restoredAtMs === undefined ? {} : { isRestored: true }),
  }
}

/** Asks the platform for the outcome of an attempt. An error of the probe proves nothing. */
export const probeOnce = async (
  platform: PlatformId,
  call: PlatformCall,
  attempt: UnconfirmedAttempt,
): Promise<ProbeResult> => {
  try {
    return await adapterOf(platform).probe(call, attempt)
  } catch (error) {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  }
}

/** What was prepared, or is prepared now in place of what the restore has lost; undefined if it takes longer. */
const preparedAgain = async (call: PlatformCall, post: Post): Promise<PreparedRef | undefined> => {
  const { ref } = journaledAttempt(post)
  if (Object.keys(ref).length > 0) return ref
  const done = (await adapterOf(post.platform).prepare?.(call, undefined)) ?? { ready: {} }
  return 'ready' in done ? done.ready : undefined
}

/**
 * Looks for a post that was due before the table was restored. Where the platform does not find it by its content, what
 * it knows of one preparation proves nothing about another.
 */
export const probeRestored = async (call: PlatformCall, post: Post): Promise<ProbeResult> => {
  const { platform } = post
  const canFind = adapterOf(platform).findsByContent?.(call.post) === true
  const { ref: known } = journaledAttempt(post)
  try {
    const ref = canFind ? await preparedAgain(call, post) : known
    if (ref === undefined || (!canFind && Object.keys(ref).length === 0)) return { kind: 'unprovable' }
    const result = await probeOnce(platform, call, { ...attemptOf(post), ref })
    return canFind || result.kind === 'published' || result.kind === 'unclear' ? result : { kind: 'unprovable' }
  } catch (error) {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  }
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

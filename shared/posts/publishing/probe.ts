import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult, UnconfirmedAttempt } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import type { PlatformId } from '../../resources.ts'
import type { Post } from '../lifecycle/row.ts'
import { journaledAttempt } from '../lifecycle/state.ts'
import { openCall } from './open-call.ts'
import type { Publication } from './publication.ts'

/** The attempt to reconcile, as it was journaled. */
export const attemptOf = (post: Post): UnconfirmedAttempt => {
  const { clientKey, ref, startedAtMs } = journaledAttempt(post)
  const { presumedLostAtMs } = post
  return {
    clientKey,
    ref,
    startedAtMs,
    ...(presumedLostAtMs === undefined ? {} : { firstStartedAtMs: presumedLostAtMs }),
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

/** Everything that a probe needs; undefined if the account's credentials are not available. */
export const openProbe = async (ctx: Context, publication: Publication): Promise<PlatformCall | undefined> => {
  try {
    return await openCall(ctx, publication.workspace, publication.account, publication.post)
  } catch (error) {
    if (error instanceof PlatformError) return undefined
    throw error
  }
}

import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../../platforms/adapter.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { PlatformError } from '../../platforms/platform-error.ts'
import { openCall } from './open-call.ts'
import type { Publication } from './publication.ts'

/** The attempt that is to be settled, as it was journaled. */
export const attemptOf = ({ post }: Pick<Publication, 'post'>): UnsettledAttempt => ({
  clientKey: post.clientKey ?? '',
  ref: post.armedRef ?? {},
  startedAtMs: post.armedAtMs ?? 0,
  ...(post.doubtedAtMs === undefined ? {} : { firstStartedAtMs: post.doubtedAtMs }),
})

/** Asks the platform what became of an attempt; trouble with asking tells nothing. */
export const probeOnce = async (
  of: Publication,
  call: PlatformCall,
  attempt: UnsettledAttempt,
): Promise<ProbeResult> => {
  try {
    return await adapterOf(of.post.platform).probe(call, attempt)
  } catch (error) {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  }
}

/** Everything that asking needs; undefined where the account's credentials cannot be had. */
export const openProbe = async (ctx: Context, of: Publication): Promise<PlatformCall | undefined> => {
  try {
    return await openCall(ctx, of.workspace, of.account, of.post)
  } catch (error) {
    if (error instanceof PlatformError) return undefined
    throw error
  }
}

import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import { findOwn } from './listing.ts'
import { Submission } from './publish.ts'

/** So long Reddit may work on a file; what has not appeared by then never will (Reddit API, submit). */
const workMs = 10 * minuteMs

const gone = () =>
  new PlatformError('invalid', 'Reddit did not accept the media file: no post appeared within ten minutes.')

const search = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const submission = z.parse(Submission, attempt.ref)
  const seen = await findOwn(call, submission, attempt)
  if (seen.kind !== 'absent') return seen
  const { kind } = submission
  // A file may still be in work: to send it again would show it twice.
  const inWork = call.ctx.clock.now() - attempt.startedAtMs < workMs
  if (inWork && (kind === 'image' || kind === 'video')) return { kind: 'unclear' }
  return kind === 'video' ? { kind: 'rejected', error: gone() } : seen
}

/** Looks for the post among the account's own since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })

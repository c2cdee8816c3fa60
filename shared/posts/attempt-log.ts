import type { Context } from '../context.ts'
import type { FailureReason } from '../events/payloads.ts'
import type { ErrorClass, ErrorFacts } from '../platforms/platform-error.ts'
import { cutText } from '../text/cut.ts'
import type { AttemptFailure } from './lifecycle/attempt-record.ts'
import { startOf } from './lifecycle/record-attempt.ts'
import type { Post } from './lifecycle/row.ts'

/** How an attempt ended. */
export interface AttemptEnd {
  state: 'confirmed' | 'rejected' | 'retried' | 'unknown'
  errorClass?: ErrorClass
  /** The sentence for the author. */
  message?: string
  facts?: ErrorFacts
  platformId?: string | null
}

/** The reason of an attempt that failed, by the class of its error. */
const reasonOf: Readonly<Record<ErrorClass, FailureReason>> = {
  auth: 'account_disconnected',
  permission: 'permission_missing',
  blocked: 'blocked',
  rate: 'rate_limited',
  quota: 'quota_reached',
  invalid: 'rejected',
  duplicate: 'duplicate_content',
  transient: 'platform_unavailable',
  unknown: 'outcome_unknown',
}

/** Attempts are kept in the row of their post, so their texts are short. */
const longestText = 300

/** Why an attempt failed, as its post remembers it; `ended` is how the whole publication failed. */
export const failureOf = (
  { errorClass, message, facts = {} }: AttemptEnd,
  ended?: { reason: FailureReason; error: string },
): AttemptFailure | undefined => {
  const reason = ended?.reason ?? (errorClass && reasonOf[errorClass])
  if (reason === undefined) return undefined
  const { code, detail, httpStatus, request, requestId } = facts
  return {
    reason,
    message: cutText(ended?.error ?? message ?? '', longestText),
    ...(code === undefined ? {} : { platformCode: cutText(code, 100) }),
    ...(detail === undefined ? {} : { platformMessage: cutText(detail, longestText) }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(request === undefined ? {} : { request }),
    ...(requestId === undefined ? {} : { platformRequestId: requestId }),
  }
}

/** Logs what an attempt did and how it ended, once the row of its post says so. People read these lines; programs read the
 * attempts in the row. */
export const logAttempt = (ctx: Context, post: Post, { state, errorClass, facts, platformId }: AttemptEnd): void => {
  const { id: postId, workspaceId, platform, version, leaseToken, scheduledAtMs, attempt } = post
  const endedAtMs = ctx.clock.now()
  const { startedAtMs, lateMs: latenessMs } = startOf(post, endedAtMs)
  ctx.log.info('attempt ended', {
    ...{ state, postId, workspaceId, platform, version, leaseToken },
    ...{ clientKey: attempt?.clientKey, scheduledAtMs, startedAtMs, latenessMs, endedAtMs },
    ...{ errorClass, httpStatus: facts?.httpStatus, code: facts?.code, platformId: platformId ?? undefined },
  })
}

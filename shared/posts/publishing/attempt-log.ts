import { type Context, type Measurement, measured } from '../../context.ts'
import type { FailureReason } from '../../events/failure-reasons.ts'
import { type ErrorClass, type ErrorInfo, isOutage } from '../../platforms/platform-error.ts'
import { cutText } from '../../text/cut.ts'
import type { AttemptFailure, AttemptRecord } from '../lifecycle/attempt-record.ts'
import type { Post } from '../lifecycle/row.ts'
import type { Ending } from '../lifecycle/writes.ts'

/** How an attempt ended. */
export interface AttemptEnd {
  state: 'confirmed' | 'rejected' | 'retried' | 'unknown'
  errorClass?: ErrorClass
  /** The sentence for the author. */
  message?: string
  info?: ErrorInfo
  platformId?: string | null
  /** What the platform rejected in addition to accepting the post. */
  warning?: string | undefined
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

/** Attempts are stored in the row of their post, so their texts are short. */
const longestText = 300

/** Why an attempt failed, as stored in its post; `ended` is how the whole publication failed. */
export const failureOf = (
  { errorClass, message, info = {} }: AttemptEnd,
  ended?: { reason: FailureReason; error: string },
): AttemptFailure | undefined => {
  const reason = ended?.reason ?? (errorClass && reasonOf[errorClass])
  if (reason === undefined) return undefined
  const { code, detail, httpStatus, request, requestId } = info
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

/** How many attempts a row remembers: the newest ones. */
const maxAttempts = 10

/** When the publishing call of a post began, and how late that was; `noStart` if none is known to have begun. */
const startOf = (
  { attempt, version, scheduledAtMs }: Post,
  nowMs: number,
): Pick<AttemptRecord, 'startedAtMs' | 'noStart' | 'lateMs'> => {
  if (attempt?.calledAtMs === undefined) return { startedAtMs: attempt?.startedAtMs ?? nowMs, noStart: true }
  const startedAtMs = attempt.calledAtMs
  return attempt.version === version ? { startedAtMs, lateMs: startedAtMs - scheduledAtMs } : { startedAtMs }
}

/**
 * The attempts of a post with one that ends now. A claim without a publishing call counts as not sent. The attempt whose
 * outcome was unknown until now keeps its position.
 */
export const recordAttempt = (
  post: Post,
  {
    ends,
    failure,
    warning,
  }: {
    ends: 'published' | 'failed' | 'unknown'
    failure?: AttemptFailure | undefined
    warning?: string | undefined
  },
  nowMs: number,
): AttemptRecord[] => {
  const { attempt, attempts = [] } = post
  const last = attempts.at(-1)
  const open = attempt !== undefined && last?.outcome === 'unknown' ? last : undefined
  if (open !== undefined && ends === 'unknown') return attempts
  const isSent = attempt !== undefined && (attempt.calledAtMs !== undefined || attempt.reconciliation !== undefined)
  const record: AttemptRecord = {
    ...(open ?? { version: attempt?.version ?? post.version, ...startOf(post, nowMs) }),
    endedAtMs: nowMs,
    outcome: ends === 'failed' && !isSent ? 'not_sent' : ends,
    ...(attempt?.reconciliation === undefined ? {} : { lookedUp: true as const }),
    ...(warning === undefined ? {} : { warning: cutText(warning, longestText) }),
  }
  const { failure: _, ...bare } = record
  const ended = failure === undefined ? bare : { ...bare, failure }
  return [...(open === undefined ? attempts : attempts.slice(0, -1)), ended].slice(-maxAttempts)
}

/** Failures that the author of a post cannot fix. */
const ourFailures: readonly FailureReason[] = [
  'rate_limited',
  'platform_unavailable',
  'platform_api_ended',
  'too_late',
  'outcome_unknown',
]

/** How late a post is that waits until its platform responds again. */
const delayOf = (
  { platform, scheduledAtMs }: Post,
  { state, errorClass, info = {} }: AttemptEnd,
  nowMs: number,
): Measurement[] => {
  const waits = state === 'unknown' || (errorClass !== undefined && isOutage({ errorClass, info }))
  const value = nowMs - scheduledAtMs
  return waits && value > 0 ? [{ name: 'PostDelayMs', value, by: { platform } }] : []
}

/** How late a post was at its first attempt, and how it ended. A later attempt waits for its platform, or for its author. */
const metricsOf = (
  { platform, leaseToken }: Post,
  latenessMs: number | undefined,
  ending: Ending | undefined,
): Measurement[] => {
  const by = { platform }
  const lateness: Measurement[] =
    latenessMs !== undefined && leaseToken === 1 ? [{ name: 'PublishLatenessMs', value: latenessMs, by }] : []
  if (ending === undefined) return lateness
  if (ending.by === 'publish') return [...lateness, { name: 'PostsPublished', value: 1, by }]
  const { reason } = ending
  const missed: Measurement[] = ourFailures.includes(reason) ? [{ name: 'PostsPublished', value: 0, by }] : []
  return [...lateness, ...missed, { name: 'PostsFailed', value: 1, by: { ...by, reason } }]
}

/**
 * Logs the calls and the outcome of an attempt, once the row of its post has them; `ending` if the post has ended with it.
 * People read these lines; programs read the attempts in the row.
 */
export const logAttempt = (ctx: Context, post: Post, end: AttemptEnd, ending?: Ending): void => {
  const { state, errorClass, info, platformId } = end
  const { id: postId, workspaceId, platform, version, leaseToken, scheduledAtMs, attempt } = post
  const endedAtMs = ctx.clock.now()
  const { startedAtMs, noStart, lateMs: latenessMs } = startOf(post, endedAtMs)
  ctx.log.info('attempt ended', {
    state,
    postId,
    workspaceId,
    platform,
    version,
    leaseToken,
    clientKey: attempt?.clientKey,
    scheduledAtMs,
    endedAtMs,
    ...(noStart ? {} : { startedAtMs, latenessMs }),
    errorClass,
    httpStatus: info?.httpStatus,
    code: info?.code,
    platformId: platformId ?? undefined,
    // What a restore of the table reads again (infra/deploy/operator/settle-restore.ts).
    url: (ending?.by === 'publish' ? ending.url : null) ?? undefined,
    ...measured(ctx, ...metricsOf(post, latenessMs, ending), ...(ending ? [] : delayOf(post, end, endedAtMs))),
  })
}

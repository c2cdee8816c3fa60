import * as z from 'zod/mini'
import { failureReasons } from '../../events/failure-reasons.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { type AttemptRecord, attemptOutcomes } from '../lifecycle/attempt-record.ts'
import type { Post } from '../lifecycle/row.ts'
import { awaitsTurn, stateOf } from '../lifecycle/state.ts'

const nullableText = (description: string) => described(z.nullable(z.string()), description)

const AttemptFailure = z
  .object({
    reason: described(z.enum(failureReasons), 'Why the attempt failed, as a code for programs.'),
    message: described(z.string(), 'A sentence for people, at most 300 characters.'),
    platformCode: nullableText("The platform's own name or number of the error; null if it sent none."),
    platformMessage: nullableText("The platform's own words, at most 300 characters; null if it sent none."),
    httpStatus: described(z.nullable(z.int()), 'The HTTP status of the response; null if there was none.'),
    request: nullableText('Method and path of the request to the platform that failed; null if none was sent.'),
    platformRequestId: nullableText("The platform's ID of that request, for its support; null if it sent none."),
  })
  .register(z.globalRegistry, { id: 'PostAttemptFailure', description: 'Why an attempt did not publish.' })

/** An attempt to publish, as the API shows it. */
const PostAttempt = z
  .object({
    startedAt: described(
      z.nullable(timestamp()),
      'When the publishing call to the platform began. UTC; null if it was not sent, if its publisher stopped before it stored the time, and until the attempt has ended.',
    ),
    finishedAt: described(
      z.nullable(timestamp()),
      'When its outcome was known, or its response counted as lost. UTC; null until then.',
    ),
    latenessMs: described(
      z.nullable(z.int()),
      'Milliseconds from the planned time of the post until `startedAt`; null without a start, or if the planned time has changed since.',
    ),
    outcome: described(
      z.enum(['in_progress', ...attemptOutcomes]),
      '`in_progress`: a publisher makes the call. `published`: the post is live. `failed`: the platform did not publish it. `unknown`: the response was lost; the post may be live. `not_sent`: the publishing call was not made.',
    ),
    settledByLookup: described(
      z.boolean(),
      'True: the response was lost, and the service found the outcome at the platform.',
    ),
    retrySafe: described(
      z.nullable(z.boolean()),
      'True: nothing of this attempt is live. False: it may be live. Null while it runs, and if it published.',
    ),
    failure: described(z.nullable(AttemptFailure), 'Why it did not publish; null if it did, or while it runs.'),
    summary: described(
      z.string(),
      'What happened, in one sentence for people; a second one says what the platform did not accept beside the post.',
    ),
  })
  .register(z.globalRegistry, { id: 'PostAttempt', description: 'One attempt to publish a post.' })
type PostAttempt = z.infer<typeof PostAttempt>

/** The attempts of a post. */
export const PostAttempts = z
  .object({
    items: described(z.array(PostAttempt), 'The newest ten attempts, oldest first.'),
    nextAttemptAt: described(
      z.nullable(timestamp()),
      'When the service publishes the post or looks it up next. UTC; null while an attempt runs and after the end.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'PostAttempts',
    description: 'The attempts of a post, and when the next one follows.',
  })
type PostAttempts = z.infer<typeof PostAttempts>

const momentOf = (ms: number) => new Date(ms).toISOString()

const safety: Readonly<Record<AttemptRecord['outcome'], boolean | null>> = {
  published: null,
  failed: true,
  unknown: false,
  not_sent: true,
}

const publishedSummary = ({ lookedUp, lateMs }: AttemptRecord): string => {
  if (lookedUp) return 'The response was lost; the service found the post on the platform.'
  return lateMs === undefined ? 'Published.' : `Published; the call began ${lateMs} ms after the planned time.`
}

const summaryOf = (record: AttemptRecord): string => {
  const { outcome, failure, warning } = record
  if (outcome === 'published') return [publishedSummary(record), warning].filter(Boolean).join(' ')
  if (outcome === 'unknown') return 'The response was lost, so the post may be live.'
  return failure?.message ?? 'Not published.'
}

const failureOf = ({ failure }: AttemptRecord): PostAttempt['failure'] =>
  failure === undefined
    ? null
    : {
        reason: failure.reason,
        message: failure.message,
        platformCode: failure.platformCode ?? null,
        platformMessage: failure.platformMessage ?? null,
        httpStatus: failure.httpStatus ?? null,
        request: failure.request ?? null,
        platformRequestId: failure.platformRequestId ?? null,
      }

const viewEnded = (record: AttemptRecord): PostAttempt => ({
  // Earlier releases stored when it was decided not to send.
  startedAt: record.noStart || record.outcome === 'not_sent' ? null : momentOf(record.startedAtMs),
  finishedAt: momentOf(record.endedAtMs),
  latenessMs: record.outcome === 'not_sent' ? null : (record.lateMs ?? null),
  outcome: record.outcome,
  settledByLookup: record.lookedUp === true && record.outcome !== 'unknown',
  retrySafe: safety[record.outcome],
  failure: failureOf(record),
  summary: summaryOf(record),
})

/** The attempt that the row journals and that has no outcome: its call is running, or its publisher crashed. */
const viewOpen = (post: Post, nowMs: number): PostAttempt[] => {
  const { attempt, attempts } = post
  if (attempt === undefined || attempts?.at(-1)?.outcome === 'unknown') return []
  const isRunning = stateOf(post, nowMs).kind === 'publishing'
  return [
    {
      startedAt: null,
      finishedAt: null,
      latenessMs: null,
      outcome: isRunning ? 'in_progress' : 'unknown',
      settledByLookup: false,
      retrySafe: isRunning ? null : false,
      failure: null,
      summary: isRunning
        ? 'A publisher is making the call to the platform.'
        : 'The publisher stopped before it stored the outcome, so the post may be live.',
    },
  ]
}

const nextAttemptOf = (post: Post, nowMs: number): string | null => {
  const { kind } = stateOf(post, nowMs)
  const isWaiting = kind === 'scheduled' || kind === 'unconfirmed' || kind === 'earlier-unconfirmed'
  if (!isWaiting || awaitsTurn(post)) return null
  const { scheduledAtMs, dueAtMs = 0 } = post
  return momentOf(kind === 'scheduled' ? Math.max(scheduledAtMs, dueAtMs) : Math.max(nowMs, dueAtMs))
}

/** The attempts of a post as the API shows them. */
export const viewAttempts = (post: Post, nowMs: number): PostAttempts => ({
  items: [...(post.attempts ?? []).map(viewEnded), ...viewOpen(post, nowMs)],
  nextAttemptAt: nextAttemptOf(post, nowMs),
})

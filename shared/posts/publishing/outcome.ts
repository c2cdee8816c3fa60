import type { Context } from '../../context.ts'
import { enqueueRelay } from '../../events/enqueue-relay.ts'
import type { FailureReason } from '../../events/payloads.ts'
import { adapterOf } from '../../platforms/adapters.ts'
import { endsConnection, PlatformError } from '../../platforms/platform-error.ts'
import type { PublishedPost } from '../../platforms/post.ts'
import { requireReconnect } from '../../social-accounts/require-reconnect.ts'
import { attemptFields, mine } from '../lifecycle/claim.ts'
import { finish } from '../lifecycle/finish.ts'
import { jitter, release, retryWaitsSeconds } from '../lifecycle/release.ts'
import { attemptOf, openProbe, probeOnce } from './probe.ts'
import type { Endable, Publication } from './publication.ts'

/** A post more than this late is not sent any more (pipeline rule 12). */
export const tooLateMs = 24 * 3_600_000
const longestRateWaitSeconds = 6 * 3600

export const published = (ctx: Context, of: Endable, landed: PublishedPost): Promise<boolean> =>
  finish(
    ctx,
    of.workspace,
    of.post,
    of.text,
    { to: 'published', url: landed.url, platformId: landed.id },
    mine(of.post),
    { state: 'confirmed', platformId: landed.id },
  )

/** Ends a claimed post as failed: nothing of it is live. */
export const failed = (ctx: Context, of: Endable, error: PlatformError, reason: FailureReason): Promise<boolean> =>
  finish(
    ctx,
    of.workspace,
    of.post,
    of.text,
    { to: 'failed', error: error.message, reason, retrySafe: true },
    mine(of.post),
    { state: 'rejected', errorClass: error.errorClass, facts: error.facts },
  )

/** Decided: an outcome that cannot be settled is told as a failure that must not be repeated blindly. */
export const outcomeUnknown = (ctx: Context, of: Endable): Promise<boolean> =>
  finish(
    ctx,
    of.workspace,
    of.post,
    of.text,
    {
      to: 'failed',
      error: 'Outcome unknown: check the account before posting again.',
      reason: 'outcome_unknown',
      retrySafe: false,
      keepAttempt: true,
    },
    mine(of.post),
    { state: 'unknown' },
  )

const again = (ctx: Context, of: Publication, waitSeconds: number, error: PlatformError, counts: boolean) => {
  const { post } = of
  const end = { state: 'retried', errorClass: error.errorClass, facts: error.facts } as const
  const { preparedGone, keyTaken } = error.facts
  const remove = [...attemptFields, ...(preparedGone ? ['prepared', 'resume'] : []), ...(keyTaken ? ['clientKey'] : [])]
  const change = { remove, ...(counts ? { set: { retries: (post.retries ?? 0) + 1 } } : {}) }
  return release(ctx, post, waitSeconds, change, end)
}

const wait = async (ctx: Context, of: Publication, error: PlatformError) => {
  const seconds = error.facts.retryAfterSeconds ?? 60
  const reached = ctx.clock.now() + seconds * 1000
  const bound = error.errorClass === 'rate' ? longestRateWaitSeconds : tooLateMs / 1000
  if (seconds > bound || reached > of.post.scheduledAtMs + tooLateMs) {
    await failed(ctx, of, error, error.errorClass === 'rate' ? 'rate_limited' : 'quota_reached')
  } else await again(ctx, of, seconds + Math.random(), error, false)
}

const retry = async (ctx: Context, of: Publication, error: PlatformError) => {
  const seconds = retryWaitsSeconds[of.post.retries ?? 0]
  if (seconds === undefined) await failed(ctx, of, error, 'platform_unavailable')
  else await again(ctx, of, jitter(seconds), error, true)
}

const disconnect = async (ctx: Context, of: Publication, error: PlatformError) => {
  const outboxId = endsConnection(error) ? await requireReconnect(ctx, of.workspace, of.account, error) : undefined
  if (outboxId !== undefined) await enqueueRelay(ctx, of.workspace.id, outboxId)
  await failed(ctx, of, error, error.errorClass === 'auth' ? 'account_disconnected' : 'permission_missing')
}

/** The attempt stays journaled; a message brings the post back to be settled. */
const reconcileLater = (ctx: Context, of: Publication, error: PlatformError) => {
  const { repeatableSeconds, readLagSeconds } = adapterOf(of.post.platform)
  const waitSeconds = repeatableSeconds === undefined ? Math.max(1, readLagSeconds) : retryWaitsSeconds[0]
  const end = { state: 'unknown', errorClass: error.errorClass, facts: error.facts } as const
  return release(ctx, of.post, waitSeconds, { set: { settleFromMs: ctx.clock.now() } }, end)
}

/** A repeat is refused so soon after an attempt that was taken for lost: it was not, although nobody can show it. */
const doubtMs = 15 * 60_000

/** The first tries were in doubt: what the platform has already is our own. Else the author's text is a repeat. */
const refusedAsRepeat = async (ctx: Context, of: Publication, error: PlatformError): Promise<void> => {
  const { doubtedAtMs } = of.post
  if (doubtedAtMs === undefined) return void (await failed(ctx, of, error, 'duplicate_content'))
  const call = error.facts.original ? undefined : await openProbe(ctx, of)
  const settled = call && (await probeOnce(of, call, attemptOf(of)))
  const first = error.facts.original ?? (settled?.kind === 'published' ? settled : undefined)
  const isRecent = ctx.clock.now() - doubtedAtMs <= doubtMs
  if (first || isRecent) await published(ctx, of, first ?? { id: null, url: null })
  else await failed(ctx, of, error, 'duplicate_content')
}

/** What follows from a call that did not end well, by the class of its error (platforms-a, 0.1). */
export const resolveError = async (ctx: Context, of: Publication, thrown: unknown): Promise<void> => {
  const error =
    thrown instanceof PlatformError ? thrown : new PlatformError('unknown', 'The platform gave no clear answer.')
  if (!(thrown instanceof PlatformError)) {
    const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    ctx.log.error('adapter failed', { postId: of.post.id, platform: of.post.platform, reason })
  }
  if (error.facts.operator)
    ctx.log.error('operator action needed', { platform: of.post.platform, reason: error.message })
  switch (error.errorClass) {
    case 'auth':
    case 'permission':
      return disconnect(ctx, of, error)
    case 'rate':
    case 'quota':
      return wait(ctx, of, error)
    case 'transient':
      return retry(ctx, of, error)
    case 'unknown':
      return reconcileLater(ctx, of, error)
    case 'blocked':
      return void (await failed(ctx, of, error, 'blocked'))
    case 'duplicate':
      return refusedAsRepeat(ctx, of, error)
    default:
      await failed(ctx, of, error, 'rejected')
  }
}

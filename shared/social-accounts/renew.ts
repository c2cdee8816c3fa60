import * as z from 'zod/mini'
import { commitWithEvents } from '../commit/commit-with-events.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, equal } from '../db/expression.ts'
import { batchGet, update } from '../db/table.ts'
import { callOperator } from '../platforms/call-operator.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { endsConnection, PlatformError } from '../platforms/platform-error.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { decryptCredentials, refreshCredentials } from './refresh-credentials.ts'
import { reportAccessEnd } from './report-access-end.ts'
import { requireReconnect } from './require-reconnect.ts'
import { endNoticeAtMs, lastRenewalAtMs, scheduleRenewal } from './schedule-renewal.ts'
import { isUsable, type SocialAccount, socialAccounts } from './social-account.ts'

/** The message to prepare-post: an account whose credentials may need a refresh although nothing is published. */
export const RenewMessage = z.object({ workspaceId: z.string(), socialAccountId: z.string() })
export type RenewMessage = z.infer<typeof RenewMessage>

/** Sets the next check of an account's credentials. A newer connection has a separate check. */
const setRenewalCheck = async (ctx: Context, account: SocialAccount, change: ReturnType<typeof scheduleRenewal>) => {
  const same = allOf(equal('credentialsVersion', account.credentialsVersion), equal('needsReconnect', false))
  await wasCurrent(update(ctx, socialAccounts.key(account), change, same))
}

/** A lost connection is reported once; the sweeper retries after any other error. */
const handleRefreshError = async (ctx: Context, workspace: Workspace, account: SocialAccount, error: PlatformError) => {
  const { info, message: reason } = error
  const about = { socialAccountId: account.id, platform: account.platform, reason }
  if (info.operator) return callOperator(ctx, error, about)
  if (!endsConnection(error)) return ctx.log.warn('credentials not renewed', about)
  await requireReconnect(ctx, workspace, account, { error, commit: commitWithEvents })
}

/**
 * Renews the credentials of one account before they expire, or reports that its access ends, and sets the next check. The
 * row decides: an account that is not due is skipped, so that a message can be a duplicate or early.
 */
export const renewAccount = async (ctx: Context, { workspaceId, socialAccountId }: RenewMessage): Promise<void> => {
  const key = { workspaceId, id: socialAccountId }
  const rows = await batchGet(ctx, [socialAccounts.key(key), workspaces.key({ id: workspaceId })])
  const account = socialAccounts.from(rows, key)
  const workspace = workspaces.from(rows, { id: workspaceId })
  if (!account || !workspace || !isUsable(account)) return
  const platform = credentialLifecycleOf(account.platform)
  const credentials = await decryptCredentials(ctx, workspace, account)
  const now = ctx.clock.now()
  const isDue = (atMs = Number.POSITIVE_INFINITY) => atMs <= now
  const endsAtMs = platform.accessEndsAtMs?.(credentials)
  if (endsAtMs !== undefined && isDue(endNoticeAtMs(account, endsAtMs, now))) {
    const next = scheduleRenewal(platform, { ...account, accessEndReported: true }, credentials, now)
    return reportAccessEnd(ctx, workspace, account, { endsAtMs, next })
  }
  const mustRefresh = isDue(platform.renewAtMs?.(credentials)) || isDue(lastRenewalAtMs(platform, credentials))
  if (!platform.refresh || !mustRefresh) {
    return setRenewalCheck(ctx, account, scheduleRenewal(platform, account, credentials, now))
  }
  try {
    await refreshCredentials(ctx, workspace, account, true)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    await handleRefreshError(ctx, workspace, account, error)
  }
}

import * as z from 'zod/mini'
import { decryptText } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import { ifCurrent, wasCurrent } from '../db/condition-failed.ts'
import { allOf, equal } from '../db/expression.ts'
import { leaseFree } from '../db/lease.ts'
import { update } from '../db/table.ts'
import type { Credentials } from '../platforms/account.ts'
import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { PlatformId } from '../resources.ts'
import { minuteMs } from '../time.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { credentialsPurpose, encryptCredentials } from './encrypt-credentials.ts'
import { scheduleRenewal } from './schedule-renewal.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

const Opened = z.record(z.string(), z.union([z.string(), z.number()]))

/** The decrypted credentials of an account, whether or not they still work. */
export const decryptCredentials = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
): Promise<Credentials> =>
  z.parse(Opened, JSON.parse(await decryptText(ctx, workspace, credentialsPurpose(account), account.credentials)))

/** Credentials that expire sooner than this are refreshed before use. */
const freshMs = 10 * minuteMs
/**
 * Longer than a refresh takes, and shorter than a worker lives: the others wait for it. Its fence is therefore the version
 * of the credentials, and not a token: a late holder does not overwrite newer ones.
 */
const leaseMs = 30_000
const waits = 10

const lasting = (ctx: Context, account: SocialAccount, credentials: Credentials) => {
  const expireAtMs = credentialLifecycleOf(account.platform).credentialsExpireAtMs?.(credentials)
  return expireAtMs === undefined || expireAtMs - ctx.clock.now() > freshMs
}

/** One refresh at a time: the holder of the lease stores the new pair before anyone uses it. */
const claimLease = async (ctx: Context, account: SocialAccount): Promise<SocialAccount | undefined> => {
  const now = ctx.clock.now()
  const change = { set: { leaseUntilMs: now + leaseMs } }
  const when = allOf(equal('credentialsVersion', account.credentialsVersion), leaseFree('leaseUntilMs', now))
  const row = await ifCurrent(update(ctx, socialAccounts.key(account), change, when))
  return row && socialAccounts.parse(row)
}

/** After a failure, the next caller (possibly the same one) must not wait for the lease to end. */
const releaseLease = async (ctx: Context, leased: SocialAccount) => {
  const when = equal('leaseUntilMs', leased.leaseUntilMs)
  await wasCurrent(update(ctx, socialAccounts.key(leased), { remove: ['leaseUntilMs'] }, when))
}

const store = async (ctx: Context, workspace: Workspace, leased: SocialAccount, fresh: Credentials) => {
  const credentials = await encryptCredentials(ctx, workspace, leased, fresh)
  const { set, remove } = scheduleRenewal(credentialLifecycleOf(leased.platform), leased, fresh, ctx.clock.now())
  const change = {
    set: { credentials, ...set },
    add: { credentialsVersion: 1 },
    remove: ['leaseUntilMs', ...remove],
  }
  const when = equal('credentialsVersion', leased.credentialsVersion)
  if (await wasCurrent(update(ctx, socialAccounts.key(leased), change, when))) return fresh
  // Reconnected in the meantime: those credentials are newer.
  const current = await socialAccounts.get(ctx, leased)
  return current ? decryptCredentials(ctx, workspace, current) : fresh
}

const refresh = async (ctx: Context, workspace: Workspace, leased: SocialAccount): Promise<Credentials> => {
  const old = await decryptCredentials(ctx, workspace, leased)
  const { refresh: ask } = credentialLifecycleOf(leased.platform)
  if (!ask) return old
  const fresh = await ask(ctx, { ...leased, credentials: old }).catch(async (error: unknown) => {
    await releaseLease(ctx, leased)
    if (error instanceof PlatformError && error.errorClass === 'auth') error.info.refreshRejected = true
    throw error
  })
  return store(ctx, workspace, leased, fresh)
}

/**
 * Credentials that stay valid through a publication; one caller refreshes them while the others wait for the result.
 */
export const refreshCredentials = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  force: boolean,
): Promise<Credentials> => {
  const known = await decryptCredentials(ctx, workspace, account)
  if (!credentialLifecycleOf(account.platform).refresh || (!force && lasting(ctx, account, known))) return known
  let current = account
  for (let wait = 0; wait < waits; wait += 1) {
    const leased = await claimLease(ctx, current)
    if (leased) return refresh(ctx, workspace, leased)
    await ctx.clock.sleep(500)
    current = (await socialAccounts.get(ctx, account)) ?? current
    if (current.credentialsVersion > account.credentialsVersion) return decryptCredentials(ctx, workspace, current)
  }
  // The caller that refreshes them waits for the platform.
  throw new PlatformError('transient', 'The credentials of the account are still being refreshed.', { outage: true })
}

/**
 * Runs a call with the stored credentials; if the platform rejects the access token, runs it once more with refreshed
 * ones. Safe for the publishing call as well: a 401 never creates a post.
 */
export const retryAfterRefresh = async <T>(platform: PlatformId, run: (refresh: boolean) => Promise<T>): Promise<T> => {
  try {
    return await run(false)
  } catch (error) {
    const isRefreshable = credentialLifecycleOf(platform).refresh !== undefined
    if (!isRefreshable || !(error instanceof PlatformError) || error.errorClass !== 'auth') throw error
    // Reusing a refresh token after it was replaced may revoke all tokens of its grant (RFC 9700, section 4.14.2).
    if (error.info.refreshRejected) throw error
    return run(true)
  }
}

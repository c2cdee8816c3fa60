import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { cachedResponse } from '../db/cached-response.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { update } from '../db/table.ts'
import type { Finding } from '../platforms/definition.ts'
import { serverOf } from '../platforms/mastodon/api.ts'
import { readLimits } from '../platforms/mastodon/instance.ts'
import { limitNames } from '../platforms/mastodon/limits.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { PlatformId } from '../resources.ts'
import { hourMs } from '../time.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { checkRedditLive } from './reddit-rules.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** Checks one account's part of a request against rules that only its platform knows. */
export type CheckLive = (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  part: { metadata: unknown; content: string },
) => Promise<readonly Finding[]>

const liveRules: Partial<Record<PlatformId, CheckLive>> = { reddit: checkRedditLive }

/** The live rules, such as those of a subreddit: the same for validate and for schedule. */
export const checkLive: CheckLive = async (ctx, workspace, account, part) =>
  liveRules[account.platform]?.(ctx, workspace, account, part) ?? []

/** The platforms whose servers have separate limits: which details contain them, and the function that reads them again. */
const servers: Partial<
  Record<
    PlatformId,
    {
      names: readonly string[]
      read(ctx: Context, account: SocialAccount): Promise<Record<string, number>>
    }
  >
> = { mastodon: { names: limitNames, read: (ctx, account) => readLimits(ctx, serverOf(account)) } }

const Limits = z.record(z.string(), z.number())

/**
 * The account with the current limits of its server: they are read once an hour, and stored with the account. If a server
 * does not respond, its known limits apply, and it is queried again after an hour.
 */
export const withServerLimits = async (ctx: Context, account: SocialAccount): Promise<SocialAccount> => {
  const server = servers[account.platform]
  if (server === undefined) return account
  const { names, read } = server
  const entries = Object.entries(account.details)
  const known = Object.fromEntries(entries.filter(([name]) => names.includes(name)))
  const { value } = await cachedResponse(ctx, account, {
    // A new connection has read the limits: those of an earlier connection are not used.
    name: `limits/${account.credentialsVersion}`,
    shape: Limits,
    freshMs: hourMs,
    ask: () =>
      read(ctx, account).catch((error: unknown) => {
        if (!(error instanceof PlatformError)) throw error
        ctx.log.warn('the limits of the server were not read', { accountId: account.id, reason: error.message })
        return z.parse(Limits, known)
      }),
  })
  const isSame = names.every((name) => known[name] === value[name])
  if (isSame) return account
  const details = { ...Object.fromEntries(entries.filter(([name]) => !names.includes(name))), ...value }
  const when = equal('credentialsVersion', account.credentialsVersion)
  await wasCurrent(update(ctx, socialAccounts.key(account), { set: { details } }, when))
  return { ...account, details }
}

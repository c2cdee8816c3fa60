import type { Context } from '../context.ts'
import type { Finding } from '../platforms/definition.ts'
import type { PlatformId } from '../resources.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { checkRedditLive } from './reddit-rules.ts'
import type { SocialAccount } from './social-account.ts'

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

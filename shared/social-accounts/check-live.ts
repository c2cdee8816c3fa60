import type { AskLive } from '../posts/intake/plan.ts'
import { checkRedditLive } from './reddit-rules.ts'

/** The rules that only the platform itself knows, such as a subreddit's: the same for validate and for schedule. */
export const checkLive: AskLive = async (ctx, workspace, account, { metadata, content }) =>
  account.platform === 'reddit' ? checkRedditLive(ctx, workspace, account, metadata, content) : []

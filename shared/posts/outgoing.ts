import type { Context } from '../context.ts'
import type { ConnectedAccount, Credentials, OutgoingPost, PlatformCall } from '../platforms/platform.ts'
import { freshCredentials } from '../social-accounts/credentials.ts'
import type { SocialAccount } from '../social-accounts/social-account.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { readBodies } from './body.ts'
import { metadataOf, type Post } from './post.ts'

/** The account as an adapter sees it, with opened credentials. */
const connected = (account: SocialAccount, credentials: Credentials): ConnectedAccount => ({
  id: account.id,
  workspaceId: account.workspaceId,
  externalId: account.externalId,
  username: account.username,
  credentials,
  details: account.details,
})

const outgoing = (post: Post, text: string): OutgoingPost => ({
  id: post.id,
  version: post.version,
  text,
  metadata: metadataOf(post),
  media: post.media,
  scheduledAtMs: post.scheduledAtMs,
})

/** Everything an adapter needs to speak for a post: text, and credentials that will last. */
export const openCall = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  post: Post,
  options: { refresh?: boolean } = {},
): Promise<PlatformCall> => {
  const [credentials, textOf] = await Promise.all([
    freshCredentials(ctx, workspace, account, options.refresh === true),
    readBodies(ctx, [post]),
  ])
  return { ctx, account: connected(account, credentials), post: outgoing(post, textOf(post)) }
}

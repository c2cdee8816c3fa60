import type { Context } from '../../context.ts'
import type { ConnectedAccount, Credentials } from '../../platforms/account.ts'
import type { PlatformCall, PreparedRef } from '../../platforms/adapter.ts'
import { type Convert, convertFiles } from '../../platforms/convert-files.ts'
import { definitionFor, definitionOf } from '../../platforms/definitions.ts'
import type { OutgoingPost } from '../../platforms/post.ts'
import { textOf } from '../../platforms/rules/check-post.ts'
import { refreshCredentials } from '../../social-accounts/refresh-credentials.ts'
import type { SocialAccount } from '../../social-accounts/social-account.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { filesOf } from '../files.ts'
import { metadataOf, type Post } from '../lifecycle/row.ts'
import { commentIdOf } from '../live-work/work.ts'
import { readTexts } from '../texts.ts'

/** The account as an adapter sees it, with decrypted credentials. */
const connected = (account: SocialAccount, credentials: Credentials): ConnectedAccount => ({
  id: account.id,
  workspaceId: account.workspaceId,
  externalId: account.externalId,
  username: account.username,
  credentials,
  details: account.details,
})

/** A comment as the calls that publish it see it: a text that replies to its post. */
export interface OutgoingComment {
  text: string
  replyTo: string
  dueAtMs: number
}

const asComment = (post: Post, { text, replyTo, dueAtMs }: OutgoingComment): OutgoingPost => {
  const { keeps = [] } = definitionOf(post.platform).comment ?? {}
  const block = metadataOf(post)
  const fields = Object.entries(block ?? {}).filter(([field]) => keeps.includes(field))
  return {
    id: commentIdOf(post),
    version: 1,
    text,
    metadata: fields.length === 0 ? undefined : Object.fromEntries(fields),
    media: [],
    assets: {},
    scheduledAtMs: dueAtMs,
    replyTo,
  }
}

const outgoing = (post: Post, content: string, files: Pick<OutgoingPost, 'media' | 'assets'>): OutgoingPost => ({
  id: post.id,
  version: post.version,
  text: textOf(definitionOf(post.platform), content, metadataOf(post)),
  metadata: metadataOf(post),
  ...files,
  scheduledAtMs: post.scheduledAtMs,
  ...(post.replyTo === undefined ? {} : { replyTo: post.replyTo }),
})

/**
 * Everything that an adapter needs to publish a post: text, credentials that stay valid long enough, and with `convert`
 * its files as the platform accepts them.
 */
export const openCall = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  post: Post,
  { refresh = false, convert }: { refresh?: boolean; convert?: Convert } = {},
): Promise<PlatformCall> => {
  const stored = filesOf(post)
  const definition = definitionFor(account)
  const [credentials, contentOf, files] = await Promise.all([
    refreshCredentials(ctx, workspace, account, refresh),
    readTexts(ctx, [post]),
    convert === undefined
      ? stored
      : convertFiles(ctx, workspace.id, { definition, metadata: metadataOf(post), files: stored }, convert),
  ])
  return { ctx, account: connected(account, credentials), post: outgoing(post, contentOf(post), files) }
}

/** The same for the first comment under a post. */
export const openCommentCall = async (
  ctx: Context,
  { workspace, account, post }: { workspace: Workspace; account: SocialAccount; post: Post },
  comment: OutgoingComment,
  refresh: boolean,
): Promise<PlatformCall> => {
  const credentials = await refreshCredentials(ctx, workspace, account, refresh)
  return { ctx, account: connected(account, credentials), post: asComment(post, comment) }
}

/** Where to resume a preparation that waits for the platform. */
export const resumeOf = ({ preparation }: Post): PreparedRef | undefined =>
  preparation !== undefined && 'resume' in preparation ? preparation.resume : undefined

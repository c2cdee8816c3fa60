import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import type { Connection } from '../platforms/connection.ts'
import { members } from '../workspaces/member.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { connectAccount } from './connect.ts'
import { connectedSentence, notConnectedPage } from './connect-pages.ts'

/** The page for a link that has expired or was used. */
export const expiredPage = notConnectedPage(
  'This link has expired or was already used. Start again from your workspace.',
)
/** The page for a callback in another browser than the one that started the login. */
export const otherBrowserPage = notConnectedPage(
  'This login was started in another browser, or cookies are disabled. Open the link to connect again, and stay in one browser.',
)
/** The page for a person who has lost access to the workspace. */
export const noAccessPage = notConnectedPage('You no longer have access to this workspace.')

/** The workspace of a login, if the person can still connect accounts there. */
export const workspaceOf = async (
  ctx: Context,
  { userId, workspaceId }: { userId: string; workspaceId: string },
): Promise<Workspace | undefined> => {
  const found = await batchGet(ctx, [workspaces.key({ id: workspaceId }), members.key({ workspaceId, userId })])
  const workspace = workspaces.from(found, { id: workspaceId })
  const member = members.from(found, { workspaceId, userId })
  return member?.status === 'active' && workspace?.subscription.hasAccess ? workspace : undefined
}

/** Stores connections; returns a sentence for each. */
export const storeConnections = async (
  ctx: Context,
  workspace: Workspace,
  connections: readonly Connection[],
  userId: string,
): Promise<string[]> => {
  const sentences = []
  for (const connection of connections) {
    sentences.push(connectedSentence(workspace, await connectAccount(ctx, workspace, connection, userId)))
  }
  return sentences
}

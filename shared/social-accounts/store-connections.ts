import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import type { Connection } from '../platforms/connection.ts'
import { members } from '../workspaces/member.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { connectAccount } from './connect.ts'
import { connectedSentence, notConnectedPage } from './connect-pages.ts'

/** For who comes late, or comes again. */
export const expiredPage = notConnectedPage('This link is not valid any more: start again from your workspace.')
/** For who comes back from a platform in another browser than the one that pressed the button. */
export const otherBrowserPage = notConnectedPage(
  'This login was begun in another browser, or its cookies are off. Open the link to connect again, and go on in one browser.',
)
/** For who lost access on the way. */
export const noAccessPage = notConnectedPage('You have no access to the workspace any more.')

/** The workspace the person began in, if they may still connect accounts there. */
export const workspaceOf = async (
  ctx: Context,
  { userId, workspaceId }: { userId: string; workspaceId: string },
): Promise<Workspace | undefined> => {
  const found = await batchGet(ctx, [workspaces.key({ id: workspaceId }), members.key({ workspaceId, userId })])
  const workspace = workspaces.from(found, { id: workspaceId })
  const member = members.from(found, { workspaceId, userId })
  return member?.status === 'active' && workspace?.subscription.hasAccess ? workspace : undefined
}

/** Keeps accounts; answers what happened, in sentences. */
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

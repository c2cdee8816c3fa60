import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { connect } from '../platforms/discord/connect.ts'
import { PlatformError } from '../platforms/platform.ts'
import { members } from '../workspaces/member.ts'
import { type Workspace, workspaces } from '../workspaces/workspace.ts'
import { connectAccount } from './connect.ts'
import { type OAuthState, takeState } from './oauth-state.ts'

/** What Discord sends a person back with. */
interface InstallAnswer {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
}

/** The workspace the person began in, if they may still connect accounts there. */
const workspaceOf = async (ctx: Context, { userId, workspaceId }: OAuthState): Promise<Workspace | undefined> => {
  const found = await batchGet(ctx, [workspaces.key({ id: workspaceId }), members.key({ workspaceId, userId })])
  const workspace = workspaces.from(found, { id: workspaceId })
  const member = members.from(found, { workspaceId, userId })
  return member?.status === 'active' && workspace?.subscription.hasAccess ? workspace : undefined
}

/** Ends what connect-discord began, and says in a sentence what happened. */
export const finishDiscord = async (ctx: Context, { state, code, error }: InstallAnswer): Promise<string> => {
  const begun = state ? await takeState(ctx, 'discord', state) : undefined
  if (!begun) return 'This link is not valid any more: start again from your workspace.'
  if (error !== undefined || !code) return 'Discord was not connected: the installation was cancelled.'
  const workspace = await workspaceOf(ctx, begun)
  if (!workspace) return 'Discord was not connected: you have no access to the workspace any more.'
  try {
    const account = await connectAccount(ctx, workspace, await connect(ctx, code))
    return `The Discord server ${account.displayName ?? account.externalId} is connected to ${workspace.name}. You can close this page.`
  } catch (failure) {
    if (!(failure instanceof PlatformError)) throw failure
    if (failure.facts.operator) ctx.log.error('operator action needed', { reason: failure.message })
    return `Discord was not connected. ${failure.message}`
  }
}

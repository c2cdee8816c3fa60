import type { Context } from '../context.ts'
import { countQuota } from '../quotas/count.ts'
import { countEmail } from '../quotas/emails.ts'
import type { Workspace } from './workspace.ts'

/** Counts an invitation for its recipient and for its workspace; throws 429 if either has reached its limit. */
export const countInvitation = async (ctx: Context, workspace: Workspace, email: string): Promise<void> => {
  await countEmail(ctx, 'invitationMails', email)
  await countQuota(ctx, workspace, 'invitations', workspace.id)
}

import { type EmailMessage, sendEmail } from '../../aws/email.ts'
import type { Context } from '../../context.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { queryAll } from '../../db/table.ts'
import { users } from '../../identity/user.ts'
import { members } from '../../workspaces/member.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { type AboutEndpoint, disabledEmail, failingEmail } from './emails.ts'

const readOwner = async (ctx: Context, { id: workspaceId }: Workspace) => {
  const { PK, SK } = members.key({ workspaceId, userId: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  const owner = rows.map(members.parse).find(({ role }) => role === 'owner')
  return owner && users.get(ctx, { id: owner.userId })
}

/** True once the owner has been notified, or if there is no owner. */
const tell = async (
  ctx: Context,
  workspace: Workspace,
  { name, url }: Endpoint,
  write: (to: string, about: AboutEndpoint) => EmailMessage,
): Promise<boolean> => {
  try {
    const owner = await readOwner(ctx, workspace)
    if (owner) await sendEmail(ctx, write(owner.email, { workspaceName: workspace.name, name, url }))
    return true
  } catch (error) {
    ctx.log.error('owner not notified of a webhook endpoint', { workspaceId: workspace.id, reason: String(error) })
    return false
  }
}

/** Emails the owner that an endpoint has been failing for a number of hours. */
export const notifyFailing = (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  hours: number,
): Promise<boolean> => tell(ctx, workspace, endpoint, (to, about) => failingEmail(to, about, hours))

/** Emails the owner that an endpoint was disabled. */
export const notifyDisabled = (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  reason: string,
): Promise<boolean> => tell(ctx, workspace, endpoint, (to, about) => disabledEmail(to, about, reason))

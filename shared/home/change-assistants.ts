import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { endConnection, endedKeys } from '../oauth/end-connection.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { assertMembership } from '../workspaces/assert-membership.ts'
import { assertMayChange, updateWorkspace } from '../workspaces/update.ts'
import type { AssistantsForm } from './input.ts'

/** Ends a connection, or switches assistants on or off. */
export const submitAssistants = async (
  ctx: Context,
  { id: workspaceId, act, connection: connectionId = '' }: AssistantsForm,
  userId: string,
  by: Actor,
): Promise<Redirect> => {
  const { workspace, member } = await assertMembership(ctx, userId, workspaceId)
  if (act === 'disconnect') {
    const rows = await batchGet(ctx, endedKeys({ workspaceId, params: { connectionId } }))
    await endConnection(ctx, member, { rows, publicId: connectionId }, by)
  } else {
    const change = { assistantsEnabled: act === 'on' }
    assertMayChange(change, member)
    await updateWorkspace(ctx, workspace, change, by)
  }
  return new Redirect(withQuery('/workspace', { id: workspaceId, done: act }))
}

import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { createWorkspace } from '../workspaces/create.ts'
import { assertOwnedQuota } from '../workspaces/list.ts'
import type { WorkspaceForm } from './input.ts'

/** Creates a workspace and opens it in the console. */
export const submitWorkspace = async (
  ctx: Context,
  { name, timezone }: WorkspaceForm,
  userId: string,
  actor: Actor,
): Promise<Redirect> => {
  await assertOwnedQuota(ctx, userId)
  const { id } = await createWorkspace(ctx, userId, { name, timezone }, actor)
  return new Redirect(withQuery('/console', { workspace: id }))
}

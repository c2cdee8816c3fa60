import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { parseOrRefuse } from '../http/parse-input.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { connect } from '../platforms/bluesky/connect.ts'
import { BlueskyLogin } from '../platforms/bluesky/login.ts'
import { createConnectLink } from '../social-accounts/authorization-link.ts'
import { connectAccount } from '../social-accounts/connect.ts'
import { orRefusal } from '../social-accounts/platform-refusal.ts'
import { assertPlace } from '../workspaces/assert-membership.ts'
import { hasAccess, unpaid } from '../workspaces/subscription.ts'
import type { ConnectForm } from './input.ts'

/** Connects a Bluesky account, or leads to the page that connects one of another platform. */
export const submitConnection = async (
  ctx: Context,
  { id: workspaceId, platform, identifier, appPassword }: ConnectForm,
  userId: string,
  actor: Actor,
): Promise<Redirect> => {
  const { workspace } = await assertPlace(ctx, userId, workspaceId)
  if (!hasAccess(workspace.subscription, ctx.clock.now())) throw unpaid(ctx, workspace)
  if (platform !== 'bluesky') {
    const { pathname, search } = new URL(await createConnectLink(ctx, { userId, workspaceId, platform }))
    return new Redirect(`/${pathname.split('/').at(-1)}${search}`)
  }
  const login = parseOrRefuse(BlueskyLogin, { identifier, appPassword }, 'form')
  const connection = await orRefusal(ctx, () => connect(ctx, login))
  await connectAccount(ctx, workspace, connection, actor)
  return new Redirect(withQuery('/workspace', { id: workspaceId, connected: platform }))
}

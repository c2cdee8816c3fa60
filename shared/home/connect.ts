import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { withQuery } from '../pages/own-page.ts'
import { Redirect } from '../pages/send.ts'
import { isBrowserPlatform } from '../platforms/definitions.ts'
import { formLogins } from '../platforms/registry/form-logins.ts'
import { createConnectLink } from '../social-accounts/authorization-link.ts'
import { connectAccount } from '../social-accounts/connect.ts'
import { signedIn } from '../social-accounts/platform-refusal.ts'
import { assertMembership } from '../workspaces/assert-membership.ts'
import { hasAccess, unpaid } from '../workspaces/subscription.ts'
import type { ConnectForm } from './input.ts'

/** Connects an account with the fields of the form, or leads to the platform's login page. */
export const submitConnection = async (
  ctx: Context,
  { id: workspaceId, platform, ...sent }: ConnectForm,
  userId: string,
  actor: Actor,
): Promise<Redirect> => {
  const { workspace } = await assertMembership(ctx, userId, workspaceId)
  if (!hasAccess(workspace.subscription, ctx.clock.now())) throw unpaid(ctx, workspace)
  if (isBrowserPlatform(platform)) {
    const link = await createConnectLink(ctx, { userId, workspaceId, platform })
    const { pathname, search } = new URL(link.authorizeUrl)
    return new Redirect(`/${pathname.split('/').at(-1)}${search}`)
  }
  const signIn = formLogins[platform](sent)
  const connection = await signedIn(ctx, signIn)
  await connectAccount(ctx, workspace, connection, { by: actor })
  return new Redirect(withQuery('/workspace', { id: workspaceId, connected: platform }))
}

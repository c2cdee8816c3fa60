import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { assertTokenQuota } from '../identity/token-quota.ts'
import { links } from '../pages/field.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'
import { assertMembership } from '../workspaces/assert-membership.ts'
import { createAccessToken } from '../workspaces/create-access-token.ts'
import { type TokenForm, tokenRights } from './input.ts'

/** The page that shows a new token, and the first call with it. */
const newTokenPage = (ctx: Context, workspaceId: string, token: string): Page => ({
  title: 'Your token',
  body: html`<p class="notice" role="status">Copy the token now. It is not shown again.</p>
<pre>${token}</pre>
<h2>Try it</h2>
<pre>curl ${ctx.env('BASE_URL')}/api/posts \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'X-Workspace-Id: ${workspaceId}'</pre>
${links({ 'Back to the workspace': withQuery('workspace', { id: workspaceId }), 'API reference': 'api/docs' })}`,
})

/** Creates a token and shows it, once. */
export const submitToken = async (
  ctx: Context,
  { id: workspaceId, name, rights }: TokenForm,
  userId: string,
  actor: Actor,
): Promise<Page> => {
  await assertTokenQuota(ctx, userId)
  await assertMembership(ctx, userId, workspaceId)
  const scopes = [...tokenRights[rights].scopes]
  const { token } = await createAccessToken(ctx, userId, { name, workspaceId, scopes }, actor)
  return newTokenPage(ctx, workspaceId, token)
}

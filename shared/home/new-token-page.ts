import type { Context } from '../context.ts'
import { links } from '../pages/field.ts'
import { html } from '../pages/html.ts'
import type { Page } from '../pages/layout.ts'
import { withQuery } from '../pages/own-page.ts'

/** The page that shows a new token, and the first call with it. */
export const newTokenPage = (ctx: Context, workspaceId: string, token: string): Page => ({
  title: 'Your token',
  body: html`<p class="notice" role="status">Copy the token now. It is not shown again.</p>
<pre>${token}</pre>
<h2>Try it</h2>
<pre>curl ${ctx.env('BASE_URL')}/api/posts \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'X-Workspace-Id: ${workspaceId}'</pre>
${links({ 'Back to the workspace': withQuery('workspace', { id: workspaceId }), 'API reference': 'api/docs' })}`,
})

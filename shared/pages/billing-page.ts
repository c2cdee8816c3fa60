import * as z from 'zod/mini'
import { html } from './html.ts'
import type { Page } from './layout.ts'

/** The slug of the workspace whose call was rejected. */
export const BillingQuery = z.object({ workspace: z.optional(z.string().check(z.maxLength(100))) })

/** The page behind the `billingUrl` of a workspace. It reads nothing, so it does not reveal which workspaces exist. */
export const billingPage = ({ workspace }: z.infer<typeof BillingQuery>): Page => ({
  title: 'A plan for your workspace',
  body: html`<p>${workspace === undefined ? 'A workspace' : html`The workspace <strong>${workspace}</strong>`} needs an active plan before it can schedule and publish.</p>
<p>This service does not take payments. Its operator puts a workspace on a plan: send them the name of the workspace and the plan you want. The plan takes effect with the next call.</p>
<p>If you run the service: <code>npm run operator -- set-plan &lt;workspaceId&gt; &lt;plan name&gt;</code>.</p>`,
})
